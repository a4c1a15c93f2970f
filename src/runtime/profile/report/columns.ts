import { efficiencyPercent, gbPerSecond } from "../rates.ts";
import type { OpRecord } from "../record.ts";

/** What stands where nobody knows the number. */
export const unknown = "-";

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
  cell(record: OpRecord): string;
}

/** The five columns of the guide, in its order and its formats, then ours. */
export const columns: readonly Column[] = [
  text("Op", (record) => record.op),
  number("Latency(ms)", 3, ({ timeUs }) => (timeUs === undefined ? undefined : timeUs / 1000)),
  number("FLOPs(G)", 3, flopsG),
  number("Bandwidth(GB/s)", 3, gbPerSecond),
  number("Efficiency(%)", 1, efficiencyPercent),
  number("Bytes", 0, ({ bytes }) => bytes),
  number("algbw(GB/s)", 3, ({ algbwGBps }) => algbwGBps),
  number("busbw(GB/s)", 3, ({ busbwGBps }) => busbwGBps),
  number("Link(%)", 1, ({ linkPercent }) => linkPercent),
  number("Bisection(%)", 1, ({ bisectionPercent }) => bisectionPercent),
  number("Aggregate(%)", 1, ({ aggregatePercent }) => aggregatePercent),
  text("Algorithm", ({ algorithm }) => algorithm),
  text("Time", ({ source }) => source),
];

/** What a collective or a copy adds up on its way is not counted, so 0 there is not a number. */
function flopsG({ kind, flops }: OpRecord): number | undefined {
  return kind === "compute" || flops > 0 ? flops / 1e9 : undefined;
}

function text(title: string, read: (record: OpRecord) => string | undefined): Column {
  return { title, align: "left", cell: (record) => read(record) ?? unknown };
}

function number(
  title: string,
  digits: number,
  read: (record: OpRecord) => number | undefined,
): Column {
  const cell = (record: OpRecord) => {
    const value = read(record);
    return value === undefined || Number.isNaN(value) ? unknown : value.toFixed(digits);
  };
  return { title, align: "right", cell };
}
