import { type FaultState, faultKinds, faultStates, type HardwareFault } from "../objects/index.ts";

/** Seconds between two moments of faults, over those that have both. */
export interface Spread {
  readonly count: number;
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** What the faults that are kept tell about themselves. */
export interface FaultFigures {
  readonly total: number;
  readonly byState: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<string, number>>;
  /** From being written down to being carried out; null where none was. */
  readonly injectSeconds: Spread | null;
  /** From being carried out to the first sighting. */
  readonly detectSeconds: Spread | null;
  /** From the decision to end it to everything being back. */
  readonly revertSeconds: Spread | null;
}

/** Counts and times, each from what was written down; what nobody wrote down is not there. */
export function faultFigures(faults: readonly HardwareFault[]): FaultFigures {
  const count = (isMeant: (fault: HardwareFault) => boolean) => faults.filter(isMeant).length;
  return {
    total: faults.length,
    byState: Object.fromEntries(
      faultStates.map((state) => [
        state,
        count((fault) => (fault.status?.state ?? "planned") === state),
      ]),
    ),
    byKind: Object.fromEntries(
      faultKinds.map((kind) => [kind, count(({ spec }) => spec.action.kind === kind)]),
    ),
    injectSeconds: spread(faults, (fault) => [since(fault, "planned"), since(fault, "injected")]),
    detectSeconds: spread(faults, (fault) => [
      since(fault, "injected"),
      fault.status?.sightings?.[0]?.at,
    ]),
    revertSeconds: spread(faults, (fault) => [fault.status?.end?.at, since(fault, "reverted")]),
  };
}

function since({ status }: HardwareFault, state: FaultState): string | undefined {
  return status?.history?.find((change) => change.state === state)?.at;
}

function spread(
  faults: readonly HardwareFault[],
  moments: (fault: HardwareFault) => readonly [string | undefined, string | undefined],
): Spread | null {
  const seconds = faults
    .map((fault) => {
      const [from, to] = moments(fault);
      return from === undefined || to === undefined
        ? Number.NaN
        : (Date.parse(to) - Date.parse(from)) / 1000;
    })
    .filter((value) => Number.isFinite(value))
    .toSorted((one, other) => one - other);
  const [min] = seconds;
  const max = seconds.at(-1);
  const lower = seconds[Math.floor((seconds.length - 1) / 2)];
  const upper = seconds[Math.floor(seconds.length / 2)];
  if (min === undefined || max === undefined || lower === undefined || upper === undefined) {
    return null;
  }
  return { count: seconds.length, min, median: (lower + upper) / 2, max };
}
