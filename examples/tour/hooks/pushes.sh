# Goose, pre_tool_use: a person is asked before a push.
case "$(cat)" in
  *"git push"*) echo '{"decision": "require_approval", "reason": "a push needs a person"}' ;;
  *) echo '{"decision": "allow"}' ;;
esac
