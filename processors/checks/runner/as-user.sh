#!/bin/sh
# Starts Chromium as the user SVC_RUNNER_USER for a test, because it does not start its sandbox for root. The profile folder, which
# root has made, becomes that user's.
set -eu
for argument; do
  case $argument in
    --user-data-dir=*) chown -R "$SVC_RUNNER_USER" "${argument#*=}" ;;
  esac
done
group=$(id -g "$SVC_RUNNER_USER")
exec setpriv --reuid="$SVC_RUNNER_USER" --regid="$group" --clear-groups "$SVC_CHROMIUM" "$@"
