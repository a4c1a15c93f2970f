import { formatDurationMs } from "../../platform/units/index.ts";

/** Microseconds for people. */
export function timeText(us: number): string {
  return formatDurationMs(Math.max(0, us) / 1000);
}

/** Ranks for people: the first few, and how many there are. */
export function ranksText(ranks: readonly number[]): string {
  if (ranks.length === 0) return "no rank";
  const shown = ranks.slice(0, 8).join(", ");
  const rest = ranks.length > 8 ? `, … (${ranks.length} in all)` : "";
  return `${ranks.length === 1 ? "rank" : "ranks"} ${shown}${rest}`;
}

/** A share, or a dash where there is nothing to measure it by. */
export function figureText(value: number | null): string {
  if (value === null) return "–";
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}
