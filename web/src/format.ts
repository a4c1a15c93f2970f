/** What stands where there is no value. */
export const nothing = "–";

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const minus = "−";

/** A whole number with groups of thousands: `12,345`. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  return plain.format(value);
}

/** A number with three digits that say something: `0.00123`, `12.3`, `1,230`, `4.56e+9` never. */
export function formatNumber(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10 ** digits) return plain.format(Math.round(value)).replace("-", minus);
  if (size < 1e-6) return value.toExponential(digits - 1).replace("-", minus);
  const text = Number(value.toPrecision(digits)).toFixed(decimalsOf(size, digits));
  return trimZeros(text).replace("-", minus);
}

/** A share of one in percent: `97.3 %`. Only the whole is 100 %: 99.96 % stays 99.9 %. */
export function formatShare(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  const percent = value * 100;
  const rounded = Number(percent.toFixed(digits));
  const step = 10 ** -digits;
  const honest =
    rounded >= 100 && percent < 100 ? 100 - step : rounded <= 0 && percent > 0 ? step : rounded;
  return `${trimZeros(honest.toFixed(digits))} %`;
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** A size in binary units: `1.5 KiB`. */
export function formatBytes(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  let at = 0;
  let left = Math.abs(value);
  while (left >= 1024 && at < byteUnits.length - 1) {
    left /= 1024;
    at++;
  }
  return `${value < 0 ? minus : ""}${formatNumber(left)} ${byteUnits[at] ?? "B"}`;
}

/** Seconds for people, two units at most: `350 µs`, `12.4 s`, `3 min 5 s`, `2 d 4 h`. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return nothing;
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? minus : "";
  if (size === 0) return "0 s";
  if (size < 1e-6) return `${sign}${formatNumber(size * 1e9)} ns`;
  if (size < 1e-3) return `${sign}${formatNumber(size * 1e6)} µs`;
  if (size < 1) return `${sign}${formatNumber(size * 1e3)} ms`;
  if (size < 59.95) return `${sign}${formatNumber(size)} s`;
  const whole = Math.round(size);
  if (whole < 3600) return sign + pair([Math.floor(whole / 60), "min"], [whole % 60, "s"]);
  const minutes = Math.round(size / 60);
  if (minutes < 1440) return sign + pair([Math.floor(minutes / 60), "h"], [minutes % 60, "min"]);
  const hours = Math.round(size / 3600);
  return sign + pair([Math.floor(hours / 24), "d"], [hours % 24, "h"]);
}

/** How long ago, or in how long: `just now`, `4 min ago`, `in 2 d`. */
export function formatAgo(atMs: number, nowMs: number): string {
  const seconds = (nowMs - atMs) / 1000;
  const size = Math.abs(seconds);
  if (size < 10) return "just now";
  const text =
    size < 60
      ? `${Math.floor(size)} s`
      : size < 3600
        ? `${Math.floor(size / 60)} min`
        : size < 86_400
          ? `${Math.floor(size / 3600)} h`
          : `${Math.floor(size / 86_400)} d`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

const dateTime = new Intl.DateTimeFormat("en-GB", {
  year: "numeric",
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const clockTime = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exactTime = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayMonthUtc = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const bareDay = /^\d{4}-\d{2}-\d{2}$/;

/** A moment in the reader's own zone: `16 Nov 2026, 17:04:09`. */
export function formatMoment(at: string | number | Date): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? nothing : dateTime.format(date);
}

/** The zone that every time on the page is of: `UTC`, `GMT+1, Europe/Berlin`. */
export function zoneName(): string {
  const { timeZone } = dateTime.resolvedOptions();
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts();
  const short = parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  return short === timeZone ? short : `${short}, ${timeZone}`;
}

/** The time of day: `17:04`. */
export function formatClock(at: string | number | Date): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? nothing : clockTime.format(date);
}

/** The time of day to the second: `17:04:09`. */
export function formatClockSeconds(at: string | number | Date): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? nothing : exactTime.format(date);
}

/** A day: `16 Nov`. That of a moment is the reader's; a day without a time is what it says, wherever one reads it. */
export function formatDay(at: string | number | Date): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return nothing;
  return (typeof at === "string" && bareDay.test(at) ? dayMonthUtc : dayMonth).format(date);
}

/** `1 node`, `2 nodes`, `no nodes`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count === 0 ? "no" : formatCount(count)} ${count === 1 ? one : many}`;
}

function pair(large: readonly [number, string], small: readonly [number, string]): string {
  const first = `${large[0]} ${large[1]}`;
  return small[0] === 0 ? first : `${first} ${small[0]} ${small[1]}`;
}

function decimalsOf(size: number, digits: number): number {
  return Math.max(0, Math.min(12, digits - 1 - Math.floor(Math.log10(size))));
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
