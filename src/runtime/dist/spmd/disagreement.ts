import { TesseraError } from "../../../platform/errors/index.ts";
import { type Communicator, present, type Slot } from "./communicator.ts";
import { rankList } from "./rank-list.ts";
import type { RankState } from "./rank-state.ts";

/** Enough to see who is out of step; the rest is counted. */
const wishesShownMax = 8;

/** The names of what the ranks who have come do not agree in; empty when they do. */
export function disagreements(slot: Slot): readonly string[] {
  const agreed = new Map<string, string>();
  const differing = new Set<string>();
  for (const { call } of present(slot)) {
    for (const [name, value] of Object.entries(call.terms)) {
      if (value === undefined) continue;
      const known = agreed.get(name);
      if (known === undefined) agreed.set(name, value);
      else if (known !== value) differing.add(name);
    }
  }
  // Different operations have different terms, so only the operation itself is worth a word.
  return differing.has("operation") ? ["operation"] : [...differing];
}

export interface DesyncOptions {
  readonly communicator: Communicator;
  readonly slot: Slot;
  readonly states: readonly RankState[];
  /** What the ranks should have agreed in. */
  readonly what: string;
}

/** The error that every rank of the group gets: who wanted what, and who is not there. */
export function desync({ communicator, slot, states, what }: DesyncOptions): TesseraError {
  const wishes = new Map<string, number[]>();
  for (const [seat, rank] of communicator.members.entries()) {
    const wish = wishOf(slot, seat, states[rank]);
    wishes.set(wish, [...(wishes.get(wish) ?? []), rank]);
  }
  const shown = [...wishes].slice(0, wishesShownMax).map(([wish, ranks]) => {
    return `${rankList(ranks)} ${wish}`;
  });
  if (wishes.size > shown.length) shown.push(`and ${wishes.size - shown.length} more wishes`);
  const op = present(slot)[0]?.call.op ?? "communication";
  return new TesseraError(
    "E_DESYNC",
    {
      op,
      what,
      problem: `in call ${slot.sequence + 1} of this group, ${shown.join("; ")}`,
      ranks: [...communicator.members],
      wishes: [...wishes].map(([wish, ranks]) => ({ wish, ranks })),
    },
    {
      hint: `Nothing was returned. Let every rank of the group make the same calls in the same order, with the same ${what}.`,
    },
  );
}

function wishOf(slot: Slot, seat: number, state: RankState | undefined): string {
  const arrival = slot.arrivals[seat];
  if (arrival !== undefined) return `called ${arrival.call.wish}`;
  if (state?.status === "running") return "had not come yet";
  return `had ended after ${state?.calls ?? 0} calls`;
}
