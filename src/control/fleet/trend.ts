import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { type DayCounts, readDayCounts } from "../../validation/history/day-counts.ts";
import type { TrendDayView } from "../api/overview.ts";
import { type CoverageDay, readCoverage } from "./coverage-log.ts";

const dayMs = 86_400_000;
const daysShown = 14;
/** Days that are over change only when a verdict on one of their runs is revised. */
const pastForMs = 300_000;
const todayForMs = 2_000;

interface Read {
  readonly today: number;
  readonly counts: readonly DayCounts[];
  readonly untilMs: number;
}

/** The last days of a cluster, counted as seldom as that does not show. */
export class Trend {
  readonly #store: Pick<Store, "db">;
  readonly #cluster: string;
  readonly #clock: Clock;
  #past: (Read & { readonly coverage: readonly CoverageDay[] }) | undefined;
  #today: Read | undefined;

  constructor(store: Pick<Store, "db">, options: { cluster: string; clock: Clock }) {
    this.#store = store;
    this.#cluster = options.cluster;
    this.#clock = options.clock;
  }

  /** Oldest first; the last one is the day of `atMs`, which is the cluster's time. */
  async days(now: {
    readonly atMs: number;
    readonly covered: number;
    readonly nodes: number;
  }): Promise<TrendDayView[]> {
    const today = Math.floor(now.atMs / dayMs);
    const first = today - daysShown + 1;
    const past = await this.#read(this.#past, { today, fromDay: first, beforeDay: today });
    this.#past =
      this.#past === past
        ? this.#past
        : { ...past, coverage: await readCoverage(this.#store, this.#cluster) };
    const own = { today, fromDay: today, beforeDay: today + 1 };
    this.#today = await this.#read(this.#today, own);
    const counts = new Map(
      [...this.#past.counts, ...this.#today.counts].map((one) => [one.day, one]),
    );
    const noted = new Map(this.#past.coverage.map((one) => [one.day, one]));
    return Array.from({ length: daysShown }, (_, at) => {
      const day = first + at;
      const unknown = { covered: null, nodes: null };
      const { covered, nodes } = day === today ? now : (noted.get(day) ?? unknown);
      return { ...dayView(day, counts.get(day)), covered, nodes };
    });
  }

  async #read(
    known: Read | undefined,
    days: { readonly today: number; readonly fromDay: number; readonly beforeDay: number },
  ): Promise<Read> {
    const { today, ...span } = days;
    const nowMs = this.#clock.monotonicMs();
    if (known !== undefined && known.today === today && nowMs < known.untilMs) return known;
    const counts = await readDayCounts(this.#store.db, { cluster: this.#cluster, ...span });
    const forMs = span.fromDay === today ? todayForMs : pastForMs;
    return { today, counts, untilMs: nowMs + forMs };
  }
}

function dayView(
  day: number,
  counts: DayCounts | undefined,
): Omit<TrendDayView, "covered" | "nodes"> {
  return {
    day: new Date(day * dayMs).toISOString().slice(0, 10),
    runs: counts?.runs ?? 0,
    verdicts: { pass: 0, warn: 0, suspect: 0, fail: 0, unknown: 0, ...counts?.verdicts },
    gpuHours: Math.round(10 * (counts?.gpuHours ?? 0)) / 10,
  };
}
