#!/usr/bin/env bash
# Turns the outcome into the end of the job.
set -euo pipefail

for setting in "fail-on|${INPUT_FAIL_ON:-failed}|failed|never" "undecided|${INPUT_UNDECIDED:-fail}|fail|warn"; do
  IFS='|' read -r name value one other <<<"$setting"
  if [[ $value != "$one" && $value != "$other" ]]; then
    echo "::error::$name must be $one or $other."
    exit 2
  fi
done

case ${OUTCOME:-error} in
  pass) ;;
  fail)
    if [[ ${INPUT_FAIL_ON:-failed} == never ]]; then
      echo "::warning::Tessera: it failed."
    else
      echo "::error::Tessera: it failed. The summary and the report say what."
      exit 1
    fi
    ;;
  undecided)
    # Unknown is never healthy: only whoever asked for it goes on.
    if [[ ${INPUT_UNDECIDED:-fail} == warn ]]; then
      echo "::warning::Tessera: nothing could be proven."
    else
      echo "::error::Tessera: nothing could be proven. The report says why; undecided: warn lets the job go on."
      exit 3
    fi
    ;;
  *)
    echo "::error::Tessera could not do what it was asked to; its output says why."
    exit 2
    ;;
esac
