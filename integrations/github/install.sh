#!/usr/bin/env bash
# Installs the CLI, or takes the one it is given, and says where it is.
set -euo pipefail

if [[ -n ${INPUT_PATH:-} ]]; then
  if [[ ! -f $INPUT_PATH ]]; then
    echo "::error::There is no program at the path that was given."
    exit 2
  fi
  program=$(realpath -- "$INPUT_PATH")
else
  version=${INPUT_VERSION:-}
  # A version and nothing else: npm would also take an address, and run what it finds there.
  if [[ ! $version =~ ^[0-9A-Za-z][0-9A-Za-z.+-]*$ ]]; then
    echo "::error::The version must be a version such as 0.1.0, or a tag such as latest."
    exit 2
  fi
  prefix="$RUNNER_TEMP/tessera-cli"
  npm install --global --ignore-scripts --no-audit --no-fund --prefix "$prefix" "tessera-qa@$version"
  program="$prefix/bin/tessera"
fi
echo "program=$program" >>"$GITHUB_OUTPUT"
