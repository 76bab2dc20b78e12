#!/bin/sh
# Exit 2 denies; the last thing on stderr is the reason.
if grep -q -e '--force' -e ' -f\b'; then
  echo "force pushes rewrite what others have" >&2
  exit 2
fi
