import { TesseraError } from "../../platform/errors/index.ts";
import type { RankOutcome } from "./ranks.ts";

/**
 * What every rank returned, by rank.
 *
 * @throws TesseraError E_RANK_LOST or E_RENDEZVOUS when one did not come to its end; it names the rank
 * that was the cause, not one that was stopped because of it.
 */
export function rankValues(outcomes: readonly RankOutcome[]): readonly unknown[] {
  const [cause] = outcomes.flatMap(causeOf).toSorted((a, b) => a.distance - b.distance);
  if (cause !== undefined) throw cause.error;
  return outcomes.map((outcome) => (outcome.ended === "completed" ? outcome.value : undefined));
}

interface Cause {
  readonly error: TesseraError;
  /** The lower, the closer to what happened first. */
  readonly distance: number;
}

function causeOf(outcome: RankOutcome): readonly Cause[] {
  const { rank } = outcome;
  if (outcome.ended === "completed") return [];
  if (outcome.ended === "lost") {
    const distance = outcome.reason.startsWith("stopped because") ? 3 : 0;
    return [{ error: lost(rank, outcome.reason), distance }];
  }
  const { code, message, details = {} } = outcome.error;
  const { rank: culprit, problem, rendezvous } = toldBy(details);
  if (code === "E_RANK_LOST") {
    return [{ error: lost(culprit ?? rank, problem ?? message), distance: 2 }];
  }
  if (code === "E_RENDEZVOUS") {
    const about = { rendezvous: rendezvous ?? "", problem: problem ?? message };
    return [{ error: new TesseraError("E_RENDEZVOUS", about), distance: 2 }];
  }
  return [{ error: lost(rank, `it failed: ${message.replace(/\.$/, "")}`), distance: 1 }];
}

/** What the details of E_RANK_LOST and E_RENDEZVOUS hold; they came over the wire. */
function toldBy(details: Readonly<Record<string, unknown>>) {
  const { rank, problem, rendezvous } = details;
  return {
    rank: typeof rank === "number" ? rank : undefined,
    problem: typeof problem === "string" ? problem : undefined,
    rendezvous: typeof rendezvous === "string" ? rendezvous : undefined,
  };
}

function lost(rank: number, problem: string): TesseraError {
  return new TesseraError("E_RANK_LOST", { rank, problem });
}
