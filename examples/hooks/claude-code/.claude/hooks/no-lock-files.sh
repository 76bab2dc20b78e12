#!/usr/bin/env bash
# Lock files are written by the package manager alone.
file=$(jq -r '.tool_input.file_path // ""')
if [[ "$file" == *package-lock.json ]]; then
  jq -n '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "run npm install instead"}}'
fi
