import type { Verdict } from "../../platform/words.ts";
import type { WantedRun } from "../plan/planner.ts";

/** The health of a node as all its required checks together show it. */
export interface NodeHealth {
  readonly node: string;
  /** That of the worst required check; `unknown` when one was never run. */
  readonly verdict: Verdict;
  /** Which check says so, and why; one sentence. */
  readonly sentence: string;
  /** `open` to users; closed by us; held by a person; closed by somebody else. */
  readonly standing: "open" | "closed" | "held" | "closed-by-others";
  /** Why it is opened, closed or left as it is; one sentence. */
  readonly why: string;
}

/** Something to be done about a node. Doing it twice is doing it once. */
export type NodeAction =
  | {
      readonly kind: "label";
      readonly node: string;
      readonly verdict: Verdict;
      /** Goes into the annotation. */
      readonly reason: string;
    }
  | {
      readonly kind: "cordon" | "release";
      readonly node: string;
      readonly reason: string;
      /** The runs it rests on; empty when a person asked for it. */
      readonly runIds: readonly string[];
      /** Who asked for it; `tessera` for what follows from runs. */
      readonly actor: string;
    };

/** What keeps a failed node from being closed. */
export type RefusalCode =
  /** More than the allowed share of the nodes would be closed by us. */
  | "share"
  /** Too few nodes would be left open to users. */
  | "last-nodes"
  /** Many nodes are bad together, so the node is probably not to blame. */
  | "incident";

export interface Refusal {
  readonly node: string;
  readonly code: RefusalCode;
  readonly reason: string;
}

/** Everything that follows from what is known about the nodes of a cluster. */
export interface Decision {
  /** Closing and opening first, then labels. */
  readonly actions: readonly NodeAction[];
  /** Failed nodes that stay open, and why. */
  readonly refusals: readonly Refusal[];
  /** Runs that closed nodes need before they may be opened, most urgent first. */
  readonly wanted: readonly WantedRun[];
  readonly health: readonly NodeHealth[];
}
