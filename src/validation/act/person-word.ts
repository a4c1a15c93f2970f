import type { History, NodeEvent } from "../history/history.ts";
import type { RunRecord } from "../run.ts";

/** What a person may say about a node: keep it from users, give it back, test it now. */
export type PersonAction = "hold" | "release" | "test";

/** A person's word about a node. */
export interface PersonWord {
  readonly cluster: string;
  readonly node: string;
  readonly action: PersonAction;
  /** The only check to run; every one without it. Only of `test`. */
  readonly check?: string;
  readonly reason: string;
  readonly actor: string;
}

/**
 * Writes down a person's word. The loop of the cluster carries it out; nothing else has to be at hand.
 *
 * @param nowMs the cluster's time, as far as the caller knows it.
 * @returns the time it counts from: after everything that is known about the node.
 */
export async function recordWord(
  history: Pick<History, "recordNodeEvents">,
  word: PersonWord,
  known: {
    readonly nowMs: number;
    readonly runs: readonly RunRecord[];
    readonly events: readonly NodeEvent[];
  },
): Promise<number> {
  const { cluster, node, action, check, reason, actor } = word;
  const atMs = timeAfter(known);
  const details = { action, reason, actor, ...(check === undefined ? {} : { check }) };
  await history.recordNodeEvents([{ cluster, node, atMs, kind: "override", details }]);
  return atMs;
}

/** What follows from a word, for whoever said it; goes on after the node's name. */
export const wordSentences: Readonly<Record<PersonAction, string>> = {
  hold: "will be closed to users, and stays so until `tessera node release`",
  release: "will be opened, and is not closed again for what is known about it now",
  test: "will be tested as soon as it is free and the guard rails let it",
};

/** What must be switched on for it. */
export function wordCondition(action: PersonAction): string {
  return action === "test"
    ? "The loop of its cluster does it, ahead of its routine."
    : "The loop does it if `validation.act.mode` is `on`.";
}

/** Now, but after everything known: a simulated cluster may be ahead of this machine's time. */
function timeAfter(known: Parameters<typeof recordWord>[2]): number {
  const { nowMs, runs, events } = known;
  const ends = runs.map(({ intent, result }) => result?.endedAtMs ?? intent.plannedAtMs);
  return Math.max(nowMs, ...[...ends, ...events.map(({ atMs }) => atMs)].map((atMs) => atMs + 1));
}
