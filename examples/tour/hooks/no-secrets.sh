# Robota, PreToolUse: exit 2 denies, stderr is the reason.
case "$(cat)" in
  *'"file_path":".env'*)
    echo "secrets live outside the repository; .env is not written here" >&2
    exit 2
    ;;
esac
