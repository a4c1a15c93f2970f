#!/bin/sh
# Ends with 0 when nobody but root can change the program $1 and what it starts, else says what they can change:
# the gate runs it as root on every node. The way there is gone folder by folder, as the system follows links.
set -u

refuse() {
  printf '%s\n' "$1" && exit 1
}

# Looks at one place of the way: root's, and writable by root alone. What a link lets people do is of no account.
look() {
  found=$(stat -c '%u %A' -- "$1" 2>&1) || refuse "$1 cannot be looked at: $found"
  case $found in
    '0 l'*) ;;
    '0 '?????-??-*) ;;
    '0 '*) refuse "$1 can be written by others than root" ;;
    *) refuse "$1 does not belong to root" ;;
  esac
}

walk() {
  rest=$1 at='' links=0
  look /
  while [ -n "$rest" ]; do
    name=${rest%%/*}
    case $rest in
      */*) rest=${rest#*/} ;;
      *) rest='' ;;
    esac
    case $name in
      '' | .) continue ;;
      ..) at=${at%/*} && continue ;;
    esac
    look "$at/$name"
    if [ ! -L "$at/$name" ]; then at=$at/$name && continue; fi
    links=$((links + 1))
    [ "$links" -le 40 ] || refuse "$1 has too many links"
    target=$(readlink -- "$at/$name") || refuse "$at/$name cannot be followed"
    rest=$target/$rest
    case $target in
      /*) at='' ;;
    esac
  done
}

case $1 in
  /*) walk "$1" ;;
  *) refuse "$1 is no full path" ;;
esac
# What it starts, as the guide installs it and as `npm run portable` makes it.
beside=$(dirname -- "$1")
for one in "$beside/../node_modules/tessera-qa/dist/cli/main.js" "$beside/../node/bin/node" \
  "$beside/tessera.mjs" "$beside/node_modules" "$beside/node"; do
  [ ! -e "$one" ] || walk "$one"
done
