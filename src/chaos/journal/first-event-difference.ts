import type { JobEvent } from "../record/index.ts";
import { canonicalJson } from "./canonical-json.ts";

/** Where two lists of events part; null on a side that had ended. */
export interface EventDifference {
  /** Counted from 0. */
  readonly index: number;
  readonly one: JobEvent | null;
  readonly other: JobEvent | null;
}

/** The first event that two runs do not share; null: they are the same. */
export function firstEventDifference(
  ones: readonly JobEvent[],
  others: readonly JobEvent[],
): EventDifference | null {
  const count = Math.max(ones.length, others.length);
  for (let index = 0; index < count; index++) {
    const [one, other] = [ones[index] ?? null, others[index] ?? null];
    if (canonicalJson(one) !== canonicalJson(other)) return { index, one, other };
  }
  return null;
}
