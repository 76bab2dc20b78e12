#!/usr/bin/env bash
# PreToolUse — refuses anything that looks like rm -rf
input="$HOOK_TOOL_INPUT"
if [[ "$HOOK_TOOL_NAME" == "bash" && "$input" == *"rm -rf"* ]]; then
  cat <<'EOF'
{ "hookSpecificOutput": { "permissionDecision": "deny", "permissionDecisionReason": "rm -rf is blocked by hook" }}
EOF
  exit 0
fi
