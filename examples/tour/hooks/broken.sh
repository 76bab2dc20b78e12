# Robota, PreToolUse: a hook with a bug. Its fault has a name, and the call goes on.
echo "scan: no such table" >&2
exit 3
