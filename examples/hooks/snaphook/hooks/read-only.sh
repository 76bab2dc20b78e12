#!/bin/sh
# The first argument is a folder that nobody writes to. The answer is JSON in the native words.
if grep -q "\"file_path\":\"[^\"]*$1"; then
  printf '{"verdict":"ask","reason":"%s is generated"}\n' "$1"
fi
