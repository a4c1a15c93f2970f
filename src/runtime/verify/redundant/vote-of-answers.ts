import { countBallots } from "./ballots.ts";
import type { Independence } from "./redundancy.ts";
import { textOf } from "./vote-text.ts";
import type { Vote } from "./vote-types.ts";

/** Somebody who can compute the whole. */
export interface Voter<T> {
  readonly device: string;
  readonly compute: () => T;
}

/** Lets voters compute the whole, one after the other. One result is kept of each answer. */
export function voteOfAnswers<T extends { digest(): string }>(
  voters: readonly Voter<T>[],
  o: {
    readonly devices: number;
    readonly independence: Independence;
    readonly release?: (value: T) => void;
  },
): Vote<T> {
  const { devices, independence, release } = o;
  const kept = new Map<string, T>();
  try {
    const ballots = voters.map(({ device, compute }) => {
      const value = compute();
      const answer = value.digest();
      if (kept.has(answer)) release?.(value);
      else kept.set(answer, value);
      return { device, answer };
    });
    const outcome = countBallots(ballots, devices);
    if (outcome.verdict === "inconclusive") {
      const { reason, verdict } = outcome;
      const open = [{ devices: ballots.map(({ device }) => device), reason }];
      const text = textOf({ verdict, outvoted: [], open, independence, devices });
      return { verdict, outvoted: [], open, independence, text };
    }
    const { verdict } = outcome;
    const answer = ballots[outcome.winner]?.answer ?? "";
    const value = kept.get(answer) as T;
    kept.delete(answer);
    const outvoted = outcome.outvoted.map((device) => ({ device, ranks: [] }));
    const text = textOf({ verdict, outvoted, open: [], independence, devices });
    return { verdict, value, outvoted, open: [], independence, text };
  } finally {
    for (const value of kept.values()) release?.(value);
  }
}
