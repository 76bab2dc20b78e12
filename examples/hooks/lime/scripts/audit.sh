#!/usr/bin/env bash
jq -c '. | {event: .event, tool: .tool_name, ok: (.is_error|not)}' \
  >> ~/.lime/audit.log
