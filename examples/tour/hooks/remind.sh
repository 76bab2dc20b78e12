# claw, PostToolUse: what is printed is feedback for the model.
case "$HOOK_TOOL_INPUT" in
  *trash/*) echo "The trash is emptied on Fridays." ;;
esac
