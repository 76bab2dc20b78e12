# Lime, PreToolUse: refuses rm -rf.
case "$HOOK_TOOL_NAME:$HOOK_TOOL_INPUT" in
  bash:*"rm -rf"*)
    echo '{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "rm -rf is blocked by hook"}}'
    ;;
esac
