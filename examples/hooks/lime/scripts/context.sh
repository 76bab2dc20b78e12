#!/usr/bin/env bash
cat <<'EOF'
{ "hookSpecificOutput": { "additionalContext": "Note: this repo uses pnpm, not npm." }}
EOF
