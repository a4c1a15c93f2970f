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

/** Where a node stands with each check it had; never changed, only replaced. */
export type NodeStates = ReadonlyMap<string, CheckState>;

/** The newest judged runs of every node and check of a cluster. */
export class CheckStates {
  readonly #nodes = new Map<string, NodeStates>();

  /** Takes note of a judged run; of a run that is known already, the newer judgement counts. */
  add(run: JudgedRun): void {
    const { node, check } = run;
    const before = this.#nodes.get(node);
    const others = (before?.get(check)?.recent ?? []).filter(({ runId }) => runId !== run.runId);
    const recent = [...others, run].toSorted(newestFirst).slice(0, recentMax);
    this.#nodes.set(node, new Map(before).set(check, { node, check, recent }));
  }

  get(node: string, check: string): CheckState | undefined {
    return this.#nodes.get(node)?.get(check);
  }

  /** The same object until a run of the node is added: what follows from it can be kept with it. */
  ofNode(node: string): NodeStates | undefined {
    return this.#nodes.get(node);
  }

  /** Every node with a judged run. */
  nodes(): Iterable<readonly [node: string, states: NodeStates]> {
    return this.#nodes;
  }

  /** Every node and check with a judged run. */
  *[Symbol.iterator](): IterableIterator<CheckState> {
    for (const states of this.#nodes.values()) yield* states.values();
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
