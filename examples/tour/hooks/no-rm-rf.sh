# Lime, PreToolUse: refuses rm -rf. The debug line in front does not lose the answer.
case "$HOOK_TOOL_NAME:$HOOK_TOOL_INPUT" in
  bash:*"rm -rf"*)
    echo "debug: looked at $HOOK_TOOL_NAME"
    echo '{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "rm -rf is blocked by hook"}}'
    ;;
esac
