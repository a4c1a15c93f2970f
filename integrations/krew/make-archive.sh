#!/usr/bin/env bash
# Makes the archive that the krew manifest names, from a built tree: make-archive.sh DIST FILE. Prints its SHA-256.
set -euo pipefail

dist=${1:?the dist folder of a build}
file=${2:?the archive to write}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -- "$dist/bundle/tessera.mjs" "$folder/tessera.mjs"
chmod 755 "$folder/tessera.mjs"
for part in web presets; do
  if [[ -d $dist/$part ]]; then cp -r -- "$dist/$part" "$folder/$part"; fi
done
cp -- "$(dirname -- "$0")/../../LICENSE" "$folder/LICENSE"
# The same tree gives the same archive, whoever makes it.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$folder" -cf - . | gzip -n >"$file"
sha256sum -- "$file" | cut -d ' ' -f 1
