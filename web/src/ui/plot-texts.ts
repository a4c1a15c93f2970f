import {
  formatBytes,
  formatClock,
  formatClockSeconds,
  formatCount,
  formatDay,
  formatMoment,
  formatNumber,
  formatSeconds,
} from "../format.ts";
import type { XKind } from "./plot-model.ts";

/** The words beside the axis. On a logarithmic one there are ticks without words: they come as null. */
export function yTexts(splits: readonly (number | null)[]): string[] {
  return splits.map((value) => (value === null ? "" : formatNumber(value)));
}

/** The words under the axis: as much of a moment as tells one from the next. */
export function xTexts(kind: XKind, splits: readonly (number | null)[]): string[] {
  const [first, second] = splits;
  const step = typeof first === "number" && typeof second === "number" ? second - first : 60;
  return splits.map((value) => {
    if (value === null) return "";
    if (kind !== "time") return xText(kind, value);
    const date = new Date(value * 1000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    if (step >= 86_400 || (isMidnight && step >= 60)) return formatDay(date);
    return step < 60 ? formatClockSeconds(date) : formatClock(date);
  });
}

/** One value of the axis below. */
export function xText(kind: XKind, value: number): string {
  switch (kind) {
    case "time":
      return formatMoment(value * 1000);
    case "seconds":
      return formatSeconds(value);
    case "bytes-log":
      return formatBytes(value);
    case "devices-log":
      return formatCount(value);
  }
}
