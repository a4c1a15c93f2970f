#!/usr/bin/env bash
# Runs the command, keeps its reports, writes the summary and says how it ended. Whether that fails the job is decided
# by judge.sh, after the reports were uploaded.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d "$RUNNER_TEMP/tessera-XXXXXX")
junit="$folder/result.xml"
html="$folder/report.html"

# One argument a line. No shell looks at them again, so spaces and signs mean nothing.
args=()
while IFS= read -r line || [[ -n $line ]]; do
  line=${line%$'\r'}
  if [[ -n $line ]]; then args+=("$line"); fi
done <<<"${INPUT_ARGS:-}"

case ${INPUT_COMMAND:-} in
  check) words=(check run) own=(--html "$html") ;;
  validate) words=(validate --once) own=() ;;
  chaos) words=(chaos run) own=(--html "$html" --summary) ;;
  "hw test") words=(hw test) own=(--html "$html") ;;
  *)
    echo "::error::The command must be check, validate, chaos or hw test."
    exit 2
    ;;
esac

call() {
  # A path that was given may be a script without the right to be run.
  if [[ -x $PROGRAM ]]; then "$PROGRAM" "$@"; else node "$PROGRAM" "$@"; fi
}

code=0
# Before bash 4.4 an empty array counts as a variable that is not set.
call "${words[@]}" ${args[@]+"${args[@]}"} ${own[@]+"${own[@]}"} --junit "$junit" || code=$?

if [[ $INPUT_COMMAND == validate ]]; then
  # Validation keeps its runs in the store; the report of them is a command of its own.
  same=()
  for ((i = 0; i < ${#args[@]}; i++)); do
    case ${args[i]} in
      --config | --cluster) if ((i + 1 < ${#args[@]})); then same+=("${args[i]}" "${args[i + 1]}"); fi ;;
      --config=* | --cluster=*) same+=("${args[i]}") ;;
    esac
  done
  call report --format html --output "$html" ${same[@]+"${same[@]}"} >&2 || echo "::warning::There is no report of the validation."
fi

case $code in
  0) outcome=pass ;;
  1) outcome=fail ;;
  3) outcome=undecided ;;
  *) outcome=error ;;
esac
# Names of artefacts are unique in a whole workflow, and jobs of a matrix have one name: the folder's word is unique.
artifact=${INPUT_ARTIFACT:-}
if [[ $artifact == auto ]]; then artifact="tessera-${GITHUB_JOB:-job}-${folder##*-}"; fi
{
  echo "outcome=$outcome"
  echo "exit-code=$code"
  echo "folder=$folder"
  echo "artifact=$artifact"
} >>"$GITHUB_OUTPUT"
node "$here/../summary.mjs" "$folder" "$outcome" >>"$GITHUB_STEP_SUMMARY"
