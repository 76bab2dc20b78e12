#!/bin/bash
# security-scanner.sh — block dangerous shell commands
INPUT=$(cat)
TOOL=$(echo "$INPUT" | jq -r '.tool_name // ""')
ARGS=$(echo "$INPUT" | jq -r '.tool_arguments.command // ""')

if [ "$TOOL" = "developer__shell" ]; then
    # Block rm -rf, format, and other destructive commands
    if echo "$ARGS" | grep -qE 'rm\s+-rf\s+/|mkfs\.|dd\s+if='; then
        echo '{"decision": "block", "reason": "Destructive command blocked by security policy"}'
        exit 0
    fi
fi

echo '{"decision": "allow"}'
