import type { QuietHours } from "../../settings.ts";
import type { Refusal } from "./refusal.ts";

const minutesPerDay = 24 * 60;

/** Refuses everything within quiet hours. From is inside, to is outside; equal ones are a whole day. */
export function quietHoursRail(
  nowMs: number,
  quietHours: readonly QuietHours[],
): Refusal | undefined {
  const minute = Math.floor(nowMs / 60_000) % minutesPerDay;
  const now = quietHours.find((span) => isWithin(minute, span));
  if (now === undefined) return undefined;
  const reason = () =>
    `quiet hours from ${clockOf(now.fromMinute)} to ${clockOf(now.toMinute)} UTC`;
  return { rail: "quiet-hours", reason };
}

function isWithin(minute: number, { fromMinute, toMinute }: QuietHours): boolean {
  return fromMinute < toMinute
    ? minute >= fromMinute && minute < toMinute
    : minute >= fromMinute || minute < toMinute;
}

function clockOf(minute: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;
}
