import type { Fleet } from "../policy.ts";
import type { FleetBelief } from "./fleet-belief.ts";
import { kindOfState, type StateSpace } from "./states.ts";
import type { Worthy } from "./worth.ts";

/** What stood behind a choice at the moment it was made. */
interface Grounds {
  readonly fleet: Fleet;
  readonly belief: FleetBelief;
  readonly chosen: Worthy;
  readonly price: number;
}

/**
 * Why a pair was chosen, in words and numbers:
 * `p = 0.21 (nic 0.15, hbm 0.06); 2 crashes, 1 kernel event since its last result; …`.
 *
 * Takes a picture now and makes the sentence when it is asked for.
 */
export function explainRisk({ fleet, belief, chosen, price }: Grounds): () => string {
  const { space } = belief;
  const chances = belief.of(chosen.node).slice();
  const { crashes, kernelEvents } = belief.signsSinceResult(chosen.node);
  return () => {
    const kinds = chancesByKind(space, chances);
    const broken = 1 - (chances[0] ?? 1);
    const likeliest = kinds
      .slice(0, 2)
      .map(([kind, chance]) => `${kind} ${figure(chance)}`)
      .join(", ");
    const check = fleet.checks[chosen.check]?.name ?? "";
    const finds = foundBy(space, chances, chosen.check);
    return [
      `p = ${figure(broken)} (${likeliest})`,
      `${count(crashes, "crash", "crashes")} and ${count(kernelEvents, "kernel event", "kernel events")} since its last result`,
      `${check} would find ${figure(finds)}`,
      `worth ${figure(chosen.worth)} h per GPU-hour at a price of ${figure(price)}`,
    ].join("; ");
  };
}

function chancesByKind(space: StateSpace, chances: Float64Array): [string, number][] {
  const byKind = new Map<string, number>();
  for (let state = 1; state < space.states; state++) {
    const kind = kindOfState(space, state) ?? "";
    byKind.set(kind, (byKind.get(kind) ?? 0) + (chances[state] ?? 0));
  }
  return [...byKind].toSorted((a, b) => b[1] - a[1]);
}

function foundBy(space: StateSpace, chances: Float64Array, check: number): number {
  const finds = space.findsBy[check];
  return chances.reduce(
    (sum, chance, state) => sum + (state === 0 ? 0 : chance * (finds?.[state] ?? 0)),
    0,
  );
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(2)));
}
