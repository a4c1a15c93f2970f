import { type Verdict, worstVerdict } from "../../platform/words.ts";
import type { JudgedRun } from "./judged-run.ts";

/** Where a node stands with one check. */
export interface CheckState {
  readonly node: string;
  readonly check: string;
  /** Judged runs, newest end first, at most `recentMax`; at least one. */
  readonly recent: readonly JudgedRun[];
}

/** How many runs of a node and check are remembered. */
export const recentMax = 12;

/** The newest judged runs of every node and check of a cluster. */
export class CheckStates {
  readonly #states = new Map<string, JudgedRun[]>();

  /** Takes note of a judged run; of a run that is known already, the newer judgement counts. */
  add(run: JudgedRun): void {
    const key = keyOf(run.node, run.check);
    const others = (this.#states.get(key) ?? []).filter(({ runId }) => runId !== run.runId);
    const recent = [...others, run].toSorted(newestFirst).slice(0, recentMax);
    this.#states.set(key, recent);
  }

  get(node: string, check: string): CheckState | undefined {
    const recent = this.#states.get(keyOf(node, check));
    return recent === undefined ? undefined : { node, check, recent };
  }

  /** Every node and check with a judged run. */
  *[Symbol.iterator](): IterableIterator<CheckState> {
    for (const recent of this.#states.values()) {
      const [first] = recent;
      if (first !== undefined) yield { node: first.node, check: first.check, recent };
    }
  }
}

/** True for a run that says something about its node: it completed, or a hard fact came to light. */
export function isTelling({ outcome, verdict }: JudgedRun): boolean {
  return outcome === "completed" || verdict === "fail";
}

/** The newest run that says something about the node. */
export function tellingRun({ recent }: CheckState): JudgedRun | undefined {
  return recent.find(isTelling);
}

/**
 * What a check says about a node now: the verdict of the newest run that says something. After it
 * came to nothing with an error or a timeout, health is unknown again; a failure stays a failure.
 * A cancelled run says nothing at all.
 */
export function standingVerdict(state: CheckState | undefined): {
  readonly verdict: Verdict;
  /** The run that decides it; undefined when there is none. */
  readonly run: JudgedRun | undefined;
} {
  const recent = state?.recent.filter((run) => run.outcome !== "cancelled" || isTelling(run)) ?? [];
  const telling = recent.find(isTelling);
  const [newest] = recent;
  if (newest === undefined) return { verdict: "unknown", run: undefined };
  if (telling === undefined) return { verdict: "unknown", run: newest };
  const verdict = worstVerdict([telling.verdict, newest.verdict]);
  return { verdict, run: verdict === telling.verdict ? telling : newest };
}

function newestFirst(a: JudgedRun, b: JudgedRun): number {
  return b.endedAtMs - a.endedAtMs || b.plannedAtMs - a.plannedAtMs;
}

function keyOf(node: string, check: string): string {
  return JSON.stringify([node, check]);
}
