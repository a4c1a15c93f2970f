import type { PlannedFault, Target, Trigger } from "../plan/index.ts";
import type { RunRecord, WorldName } from "../record/index.ts";
import type { Deed } from "./deed.ts";
import type { Readiness, ReadinessBook } from "./readiness-book.ts";

/** What a look is made with. */
export interface LookContext {
  readonly book: ReadinessBook;
  readonly nowUs: () => number;
  readonly signal: AbortSignal;
}

/** Something that somebody else runs in a cluster, as an experiment sees it. */
export interface LiveJob {
  readonly world: WorldName;
  /** Why there is a first generation, in a few words. */
  readonly atStart: string;
  /** Steps come from what it prints; else from looks at it. */
  readonly hasProgress: boolean;
  /** Of the newest state that it told of; null: it told of none. */
  readonly digest: string | null;
  deedsOf(fault: PlannedFault): Promise<readonly Deed[]>;
  targetText(target: Target): string;
  /** How it is when the run begins. */
  first(): Readiness;
  /** Hears of changes between looks, where there is somebody to say so. Returns how to stop it. */
  follow?(context: Omit<LookContext, "signal">): () => void;
  /**
   * Looks once and writes down what it saw. What cannot be looked at says nothing: the gap shows.
   *
   * @returns whether anything was seen
   */
  look(context: LookContext): Promise<boolean>;
  /** Whether it is back, as it looks now; what it told before `sinceUs`, of before the last fault, is no sign. */
  isBack(book: ReadinessBook, sinceUs: number): boolean;
  /** Resolves at a moment that is no time; the world refuses those that it cannot wait for. */
  moment?(trigger: Trigger, signal: AbortSignal): Promise<void>;
  /** How it ended for good; undefined: it did not, as far as anybody knows. */
  ending?(): { readonly end: RunRecord["end"]; readonly reason: string } | undefined;
  /** Says in the cluster until when others leave our faults alone. */
  renew?(untilMs: number): Promise<void>;
  /** What in the cluster still bears the mark of this run, each in a few words. */
  marked(): Promise<readonly string[]>;
  /** What its steps are, in a sentence. */
  aboutSteps(): string;
}
