# claw, PreToolUse: exit 2 denies, stdout is the message.
case "$HOOK_TOOL_INPUT" in
  *curl*"| sh"*)
    echo "Blocked: the network is not piped into a shell"
    exit 2
    ;;
esac
