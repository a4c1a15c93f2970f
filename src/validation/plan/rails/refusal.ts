import type { Rail } from "../planner.ts";

/** Why a run is not begun. The sentence is made only when somebody reads it. */
export interface Refusal {
  readonly rail: Rail;
  reason(): string;
}
