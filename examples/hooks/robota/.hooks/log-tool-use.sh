#!/usr/bin/env bash
# One line for each tool use.
jq -c '{tool: .tool_name, session: .session_id}' >> tool-use.log
