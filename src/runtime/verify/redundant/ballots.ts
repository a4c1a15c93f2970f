import type { DeviceId } from "../../dist/mesh/index.ts";

/** One device's answer. */
export interface Ballot {
  readonly device: DeviceId;
  /** Equal texts are equal answers. */
  readonly answer: string;
}

/** What a list of ballots comes to. */
export type Outcome =
  | {
      readonly verdict: "agreed" | "outvoted";
      /** The place in the list of the first ballot of the majority. */
      readonly winner: number;
      readonly outvoted: readonly DeviceId[];
    }
  | { readonly verdict: "inconclusive"; readonly reason: string };

/**
 * Counts ballots. An answer wins that more than half of the devices that were asked for gave; a device
 * that was asked and did not vote counts against nobody, and one that votes twice counts once.
 *
 * @param asked how many devices were to vote
 */
export function countBallots(ballots: readonly Ballot[], asked: number): Outcome {
  const byAnswer = new Map<string, Set<DeviceId>>();
  for (const { device, answer } of ballots) {
    byAnswer.set(answer, (byAnswer.get(answer) ?? new Set<DeviceId>()).add(device));
  }
  const voters = new Set(ballots.map(({ device }) => device)).size;
  const torn = [...byAnswer.values()].reduce((sum, { size }) => sum + size, 0) > voters;
  if (torn) return { verdict: "inconclusive", reason: "a device gave two answers" };
  const winner = [...byAnswer].find(([, { size }]) => 2 * size > asked);
  if (winner === undefined) {
    const reason =
      voters < asked
        ? `${voters} of ${asked} devices could vote, and no ${Math.floor(asked / 2) + 1} of them agree`
        : `no ${Math.floor(asked / 2) + 1} of ${asked} devices agree`;
    return { verdict: "inconclusive", reason };
  }
  const [answer] = winner;
  const outvoted = ballots.filter((one) => one.answer !== answer).map(({ device }) => device);
  return {
    verdict: outvoted.length === 0 ? "agreed" : "outvoted",
    winner: ballots.findIndex((one) => one.answer === answer),
    outvoted,
  };
}
