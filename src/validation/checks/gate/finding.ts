import type { ItemStatus } from "../../../platform/words.ts";

/** The answer to one question of a gate. */
export interface Finding {
  /** What was looked at: `memory`, `gpu 3`. */
  readonly name: string;
  /** `fail` only with proof; what could not be told is `unknown`. */
  readonly status: Extract<ItemStatus, "pass" | "warn" | "fail" | "unknown" | "skipped">;
  /** One sentence. */
  readonly words: string;
}
