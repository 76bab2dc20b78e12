#!/usr/bin/env bash
# Refuses to publish from a working copy: exit 2 blocks, stderr is the reason.
command=$(jq -r '.tool_input.command // ""')
if [[ "$command" == *"publish"* ]]; then
  echo "publishing is left to CI" >&2
  exit 2
fi
