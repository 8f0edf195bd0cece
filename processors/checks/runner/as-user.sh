#!/bin/sh
# Starts Chromium as the user SVC_RUNNER_USER, because it does not start its sandbox for root. The profile folder, which root
# has made, becomes that user's. With SVC_RUNNER_NAMESPACE=1 it has a network namespace in which there is nothing but
# a loopback interface.
set -eu
for argument; do
  case $argument in
    --user-data-dir=*) chown -R "$SVC_RUNNER_USER" "${argument#*=}" ;;
  esac
done
group=$(id -g "$SVC_RUNNER_USER")
set -- setpriv --reuid="$SVC_RUNNER_USER" --regid="$group" --clear-groups "$SVC_CHROMIUM" "$@"
if [ "${SVC_RUNNER_NAMESPACE:-0}" = 1 ]; then
  set -- unshare --net -- sh -c 'ip link set dev lo up; exec "$@"' sh "$@"
fi
exec "$@"
