# claw, PostToolUse: what is printed is feedback for the model.
case "$HOOK_TOOL_INPUT" in
  *"run clean"*) echo "The build folder is empty now: build before you test." ;;
esac
