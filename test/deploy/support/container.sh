#!/bin/sh
# Runs a command as a container runtime would: in a root folder of its own that can't be written, without a network, as
# any user. Needs root.
#   container.sh <app folder> <volume> <node> <user> <group> <command…>
# The app folder is mounted at /app, the volume at /data. SCRIPT_ENV holds the variables, one on a line.
set -eu

if [ "${INSIDE:-}" = "" ]; then
  INSIDE=1 exec unshare --mount --net --pid --fork --kill-child -- "$0" "$@"
fi

app=$1 volume=$2 node=$3 user=$4 group=$5
shift 5

root=$(mktemp -d)
mount --make-rprivate /
mount -t tmpfs tmpfs "$root"
for folder in bin lib lib64 usr etc; do
  if [ -e "/$folder" ]; then
    mkdir "$root/$folder"
    mount --rbind "/$folder" "$root/$folder"
    mount -o remount,bind,ro "$root/$folder"
  fi
done
mkdir "$root/app" "$root/data" "$root/tmp" "$root/dev" "$root/proc" "$root/node"
mount --bind "$app" "$root/app"
mount -o remount,bind,ro "$root/app"
mount --bind "$volume" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
touch "$root/node/node"
mount --bind "$node" "$root/node/node"
mount -o remount,ro "$root"
ip link set lo up 2>/dev/null || true

# shellcheck disable=SC2086
exec chroot "$root" /usr/bin/env -i PATH=/node:/usr/bin:/bin HOME=/ $SCRIPT_ENV \
  setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
