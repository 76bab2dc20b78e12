#!/usr/bin/env bash
# Which files were touched, for the end of the day.
jq -r '.tool_input.file_path' >> touched.txt
