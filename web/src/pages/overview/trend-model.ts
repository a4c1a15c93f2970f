import type { TrendDayView } from "../../../../src/control/api/overview.ts";

type Verdict = keyof TrendDayView["verdicts"];

/** From the bottom of a bar to its top: what is bad stands on the ground, where it is compared best. */
const order: readonly Verdict[] = ["fail", "suspect", "unknown", "warn", "pass"];

export interface TrendBar {
  readonly day: string;
  readonly runs: number;
  /** Heights as shares of the tallest bar, from the bottom up; verdicts without runs are left out. */
  readonly parts: readonly {
    readonly verdict: Verdict;
    readonly count: number;
    readonly share: number;
  }[];
  /** Runs without a verdict: still under way, or ended without one. */
  readonly undecided: { readonly count: number; readonly share: number };
  /** Of the nodes, those with fresh evidence; null: not known. */
  readonly coverage: number | null;
}

export interface TrendModel {
  readonly bars: readonly TrendBar[];
  readonly runsMax: number;
  /** The coverage as pieces of a line in a square of 100 by 100, y down; gaps part the pieces. */
  readonly lines: readonly string[];
}

/** What the trend of some days draws. */
export function trendModel(days: readonly TrendDayView[]): TrendModel {
  const runsMax = Math.max(1, ...days.map(({ runs }) => runs));
  const bars = days.map((day) => barOf(day, runsMax));
  return { bars, runsMax, lines: coverageLines(bars.map(({ coverage }) => coverage)) };
}

/** The verdicts that some day has, worst first: what the legend has to tell apart. */
export function verdictsIn({ bars }: TrendModel): readonly Verdict[] {
  return order.filter((one) =>
    bars.some(({ parts }) => parts.some((part) => part.verdict === one)),
  );
}

function barOf(day: TrendDayView, runsMax: number): TrendBar {
  const parts = order.flatMap((verdict) => {
    const count = day.verdicts[verdict];
    return count > 0 ? [{ verdict, count, share: count / runsMax }] : [];
  });
  const decided = parts.reduce((sum, { count }) => sum + count, 0);
  const open = Math.max(0, day.runs - decided);
  return {
    day: day.day,
    runs: day.runs,
    parts,
    undecided: { count: open, share: open / runsMax },
    coverage: coverageOf(day),
  };
}

function coverageOf({ covered, nodes }: TrendDayView): number | null {
  if (covered === null || nodes === null || nodes === 0) return null;
  return Math.min(1, covered / nodes);
}

function coverageLines(values: readonly (number | null)[]): readonly string[] {
  const width = 100 / Math.max(1, values.length);
  const lines: string[] = [];
  let points: string[] = [];
  const end = () => {
    if (points.length > 0)
      lines.push(points.length === 1 ? `${points[0]} ${points[0]}` : points.join(" "));
    points = [];
  };
  for (const [at, value] of values.entries()) {
    if (value === null) end();
    else points.push(`${((at + 0.5) * width).toFixed(2)},${(100 - value * 100).toFixed(2)}`);
  }
  end();
  return lines;
}

/** The trend in words, for those who do not see it. */
export function trendWords(model: TrendModel): string {
  const days = model.bars.map(({ day, runs, parts, coverage }) => {
    const verdicts = parts.map(({ verdict, count }) => `${count} ${verdict}`).join(", ");
    const covered = coverage === null ? "" : `, ${Math.floor(coverage * 100)} % covered`;
    return `${day}: ${runs} runs${verdicts === "" ? "" : ` (${verdicts})`}${covered}`;
  });
  return days.join("; ");
}
