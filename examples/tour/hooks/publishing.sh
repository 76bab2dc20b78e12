# Goose, pre_tool_use: a person is asked before anything is published.
case "$(cat)" in
  *published.html*) echo '{"decision": "require_approval", "reason": "publishing needs a person"}' ;;
  *) echo '{"decision": "allow"}' ;;
esac
