import { parseDurationMs, UnitError } from "../../platform/units/index.ts";

/** A moment or a window that is none; the message says why, for whoever named it. */
export class WindowError extends Error {}

/** What `--since` or `--until` says: so long before something, or at a moment. */
export type Moment = { readonly agoMs: number } | { readonly atMs: number };

const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/;

/**
 * Reads a duration (`24h`) or a moment in UTC (`2026-03-01`, `2026-03-01T09:30Z`).
 *
 * @param flag what the reader calls it.
 * @throws WindowError
 */
export function parseMoment(flag: string, text: string): Moment {
  if (isoMoment.test(text)) {
    const atMs = Date.parse(text.includes("T") && !text.endsWith("Z") ? `${text}Z` : text);
    // Dates that no calendar has, such as the 30th of February, roll over to another day.
    if (Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(text.slice(0, 10))) {
      return { atMs };
    }
    throw new WindowError(`${flag} names the date ${text}, which does not exist`);
  }
  try {
    return { agoMs: parseDurationMs(text) };
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    const shown = JSON.stringify(text.slice(0, 60));
    throw new WindowError(
      `${flag} must be a duration such as 24h or 7d, or a date such as 2026-03-01, got ${shown}`,
    );
  }
}

export interface ReportWindow {
  readonly fromMs: number;
  readonly untilMs: number;
}

const dayMs = 86_400_000;
const windowDaysMax = 3_660;

/** The window in the time of a cluster whose newest moment is `nowMs`. @throws WindowError */
export function windowAt(
  nowMs: number,
  given: {
    readonly since: Moment;
    readonly until: Moment | undefined;
    /** @default ten years */
    readonly spanDaysMax?: number;
  },
): ReportWindow {
  const { since, until, spanDaysMax = windowDaysMax } = given;
  const untilMs = until === undefined ? nowMs : "atMs" in until ? until.atMs : nowMs - until.agoMs;
  const fromMs = "atMs" in since ? since.atMs : untilMs - since.agoMs;
  if (fromMs >= untilMs) throw new WindowError("`since` must lie before `until`");
  if (untilMs - fromMs > spanDaysMax * dayMs) {
    throw new WindowError(`a report spans at most ${spanDaysMax} days`);
  }
  return { fromMs, untilMs };
}
