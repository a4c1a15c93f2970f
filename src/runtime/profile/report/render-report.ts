import { provenances } from "../../../platform/words.ts";
import type { OpRecord } from "../record.ts";
import type { SessionLog } from "../session-log.ts";
import { columns, unknown } from "./columns.ts";

export interface ReportOptions {
  /** Rows shown; operations beyond are only in the totals. @default 500 */
  readonly rowsMax?: number;
}

const efficiencyNote =
  "Efficiency is bus bandwidth over one GPU's link for collectives, achieved over peak FLOP/s for compute.";

/** The table of a session, its totals, and what its figures mean. Ends without a line break. */
export function renderReport(log: SessionLog, options: ReportOptions = {}): string {
  const { rowsMax = 500 } = options;
  const records = log.ops.map(({ record }) => record);
  const shown = records.slice(0, rowsMax);
  const hidden = records.length - shown.length;
  return [
    ...table(shown),
    ...(hidden > 0 ? [`... and ${plural(hidden, "more operation")}`] : []),
    ...totals(records),
    ...(log.dropped > 0
      ? [`Not kept, because the session was full: ${plural(log.dropped, "entry", "entries")}`]
      : []),
    efficiencyNote,
    `${unknown} is unknown or does not apply.`,
  ].join("\n");
}

function table(records: readonly OpRecord[]): string[] {
  const titles = columns.map(({ title }) => title);
  const rows = records.map((record) => columns.map((column) => column.cell(record)));
  const widths = titles.map((title, at) =>
    rows.reduce((widest, row) => Math.max(widest, row[at]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return columns[at]?.align === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(" | ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("-+-");
  return [line(titles), rule, ...rows.map(line)];
}

/** One line for each kind of time, because different kinds are never added up. */
function totals(records: readonly OpRecord[]): string[] {
  if (records.length === 0) return ["Total: no operations"];
  return provenances.flatMap((source) => {
    const own = records.filter((record) => record.source === source);
    if (own.length === 0) return [];
    const timed = own.filter(({ timeUs }) => timeUs !== undefined);
    const timeMs = sum(timed.map(({ timeUs = 0 }) => timeUs)) / 1000;
    const facts = [
      plural(own.length, "operation"),
      timed.length === 0 ? `${unknown} ms` : `${timeMs.toFixed(3)} ms`,
      `${sum(own.map(({ bytes }) => bytes))} bytes`,
    ];
    const flops = sum(own.map((record) => record.flops));
    if (flops > 0) facts.push(`${(flops / 1e9).toFixed(3)} GFLOP`);
    const untimed = own.length - timed.length;
    if (timed.length > 0 && untimed > 0) facts.push(`${untimed} of unknown time`);
    return [`Total ${source}: ${facts.join(", ")}`];
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
