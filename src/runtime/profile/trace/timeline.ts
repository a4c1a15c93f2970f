import { type Provenance, provenances } from "../../../platform/words.ts";
import { ratesOf } from "../rates.ts";
import type { OpRecord } from "../record.ts";
import type { KeptOp, Region, SessionLog } from "../session-log.ts";
import type { Span } from "./lanes.ts";

/** Something with a duration, on one thread of one kind of time. */
export interface Slice extends Span {
  readonly name: string;
  readonly category: string;
  readonly source: Provenance;
  /** The row it belongs to; slices of a row that overlap are put on further rows of that name. */
  readonly thread: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Operations and regions as slices. Modelled and simulated operations are laid end to end, as a
 * single controller issues them, with one row for each choice of mesh axes.
 */
export function slicesOf(log: SessionLog): readonly Slice[] {
  // Regions come first, and the last to end before the others: of equal spans that is the outer one.
  const regions = log.regions.toReversed().flatMap(regionSlices);
  return [...regions, ...log.ops.filter(isTimed).map(opSlice)];
}

/** Times leave here as whole nanoseconds, so that rounding cannot make neighbours overlap. */
export function toNs(us: number): number {
  return Math.round(us * 1000);
}

function isTimed({ record }: KeptOp): boolean {
  return record.timeUs !== undefined;
}

function opSlice({ record, startUs }: KeptOp): Slice {
  return {
    name: record.op,
    category: record.kind,
    source: record.source,
    thread: threadOf(record),
    startNs: toNs(startUs),
    endNs: toNs(startUs + (record.timeUs ?? 0)),
    args: argsOf(record),
  };
}

function threadOf({ source, axes, devices }: OpRecord): string {
  if (source === "measured") return "operations";
  const over = axes === undefined || axes.length === 0 ? "all axes" : axes.join(" x ");
  return `${over} (${devices} devices)`;
}

/** A region shows on each timeline that moved while it lasted. */
function regionSlices({ name, from, to }: Region): Slice[] {
  return provenances
    .filter((source) => source === "measured" || to[source] > from[source])
    .map((source) => ({
      name,
      category: "region",
      source,
      thread: source === "measured" ? "operations" : "regions",
      startNs: toNs(from[source]),
      endNs: toNs(to[source]),
      args: {},
    }));
}

/** What a viewer shows beside the slice; unknown numbers are null. */
function argsOf(record: OpRecord): Slice["args"] {
  return {
    source: record.source,
    bytes: record.bytes,
    flops: record.flops,
    devices: record.devices,
    groups: record.groups,
    dtype: record.dtype ?? null,
    shape: record.shape ?? null,
    topology: record.topology ?? null,
    algorithm: record.algorithm ?? null,
    ...ratesOf(record),
    notes: record.notes ?? [],
  };
}
