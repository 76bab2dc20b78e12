# claw, PreToolUse: exit 2 denies, stdout is the message.
if echo "$HOOK_TOOL_INPUT" | grep -q 'curl.*| *sh'; then
  echo "Blocked: the network is not piped into a shell"
  exit 2
fi
