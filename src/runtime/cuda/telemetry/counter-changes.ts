import type { GpuCounters } from "./telemetry.ts";

/** Counters that are numbers. */
export type CounterName = {
  [Name in keyof GpuCounters]: GpuCounters[Name] extends number | null ? Name : never;
}[keyof GpuCounters];

/** How counters grew over a piece of work. Null where it was not told before or after. */
export type CounterChanges = Readonly<Record<CounterName, number | null>> & {
  /** Whether a row waits for a reset that did not before. */
  readonly remapBecamePending: boolean | null;
};

const counterNames = [
  "eccCorrected",
  "eccUncorrected",
  "remappedRowsCorrectable",
  "remappedRowsUncorrectable",
  "retiredPages",
  "pcieReplays",
  "nvlinkErrors",
  "energyMj",
] as const satisfies readonly CounterName[];

/** A counter that fell was set back in between: what it shows now is all that is known to be new. */
export function counterChanges(before: GpuCounters, after: GpuCounters): CounterChanges {
  const changes = Object.fromEntries(
    counterNames.map((name) => [name, growth(before[name], after[name])]),
  ) as Record<CounterName, number | null>;
  const [was, is] = [before.remapPending, after.remapPending];
  return { ...changes, remapBecamePending: was === null || is === null ? null : is && !was };
}

function growth(before: number | null, after: number | null): number | null {
  if (before === null || after === null) return null;
  return after >= before ? after - before : after;
}
