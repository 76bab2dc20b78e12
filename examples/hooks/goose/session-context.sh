#!/bin/bash
# session-context.sh — inject project rules at session start
INPUT=$(cat)
SESSION_ID=$(echo "$INPUT" | jq -r '.session_id')

# Load project-specific context
if [ -f ".goose/context.md" ]; then
    CONTEXT=$(cat .goose/context.md)
    echo "{\"context_injection\": $(echo "$CONTEXT" | jq -Rs .)}"
else
    echo "{}"
fi
