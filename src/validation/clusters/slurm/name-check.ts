import type { ViewTrust } from "../cluster.ts";
import { unknownNames, whyNoneIsChosen } from "./chosen-nodes.ts";
import type { ResolvedSlurmSettings } from "./settings.ts";
import type { SlurmSnapshot } from "./snapshot.ts";

type Distrust = Exclude<ViewTrust, { state: "current" }>;

/** Whether the configuration names nodes, partitions and features that are there, look after look. */
export class NameCheck {
  readonly #settings: ResolvedSlurmSettings;
  readonly #complain: (text: string) => void;
  #empty: Distrust | undefined;
  #isTold = false;

  constructor(settings: ResolvedSlurmSettings, complain: (text: string) => void) {
    this.#settings = settings;
    this.#complain = complain;
  }

  /** Whether it left no node of those that were seen last. */
  get leavesNone(): boolean {
    return this.#empty !== undefined;
  }

  look(snapshot: SlurmSnapshot): void {
    const reason = whyNoneIsChosen(snapshot.nodes, this.#settings);
    const sinceMs = this.#empty?.sinceMs ?? snapshot.atMs;
    this.#empty = reason === undefined ? undefined : { state: "stale", sinceMs, reason };
    // Told once: what is missing later may be a node that left.
    if (this.leavesNone || this.#isTold) return;
    this.#isTold = true;
    const unknown = unknownNames(snapshot, this.#settings);
    if (unknown !== undefined) this.#complain(unknown);
  }

  /** How far a view can be trusted that is trusted so far as looking goes. */
  trust(trust: ViewTrust): ViewTrust {
    return trust.state === "current" ? (this.#empty ?? trust) : trust;
  }
}
