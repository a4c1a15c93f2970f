import type { JobEvent } from "../../record/index.ts";
import { quantile } from "../stats/index.ts";

export interface RequestFigures {
  readonly answered: number;
  readonly failed: number;
  /** Answered more than once. */
  readonly repeated: number;
  readonly latencyP99Us: number | null;
}

/** Null where nobody asked anything. */
export function requestFigures(events: readonly JobEvent[]): RequestFigures | null {
  const answers = new Map<number, number>();
  const failed = new Set<number>();
  const latencies: number[] = [];
  for (const event of events) {
    if (event.kind !== "request") continue;
    if (event.ok) {
      answers.set(event.id, (answers.get(event.id) ?? 0) + 1);
      latencies.push(event.latencyUs);
    } else {
      failed.add(event.id);
    }
  }
  if (answers.size === 0 && failed.size === 0) return null;
  return {
    answered: answers.size,
    failed: [...failed].filter((id) => !answers.has(id)).length,
    repeated: [...answers.values()].filter((count) => count > 1).length,
    latencyP99Us: quantile(latencies, 0.99),
  };
}
