import { probe } from "../../validation/contract/probe.ts";

/**
 * A check that does not end on SIGTERM, the first time on each node, and keeps whoever started it from doing
 * that: only SIGKILL ends them. Later it ends at once.
 */
export function deafCheck(root: string) {
  const script = `mark="${root}/deaf-$TESSERA_NODE"
    if [ ! -e "$mark" ]; then
      trap '' TERM
      : > "$mark"
      while :; do kill -STOP "$PPID"; sleep 0.05; done
    fi
    echo '{"figures":{}}'`;
  return { name: probe, minutes: 0.1, options: { command: ["sh", "-c", script] } };
}
