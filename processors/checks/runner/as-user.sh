#!/bin/sh
# Starts CHROMIUM as the user BROWSER_USER for a test, because it does not start its sandbox for root. The profile folder, which root
# has made, becomes that user's.
set -eu
for argument; do
  case $argument in
    --user-data-dir=*) chown -R "$BROWSER_USER" "${argument#*=}" ;;
  esac
done
exec setpriv --reuid="$BROWSER_USER" --regid="$BROWSER_USER" --clear-groups "$CHROMIUM" "$@"
