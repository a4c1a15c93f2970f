import type { ScalingStudyView } from "../../../../src/control/api/studies.ts";

type Points = ScalingStudyView["points"];

export interface LostTime {
  /** The causes, the one that costs most at the largest count first. */
  readonly causes: readonly string[];
  /** For each count of devices what each cause takes of a step there, as a share of its time. */
  readonly rows: readonly {
    readonly devices: number;
    readonly parts: readonly { readonly cause: string; readonly share: number }[];
    readonly useful: number;
  }[];
}

/** Where the time of a step goes at each size. What no cause claims was useful. */
export function lostTime(points: Points): LostTime {
  const largest = points.at(-1)?.causesS ?? {};
  const names = new Set(points.flatMap(({ causesS }) => Object.keys(causesS)));
  const causes = [...names]
    .filter((cause) => points.some(({ causesS }) => (causesS[cause] ?? 0) > 0))
    .toSorted((a, b) => (largest[b] ?? 0) - (largest[a] ?? 0) || (a < b ? -1 : 1));
  const rows = points.map(({ devices, timeS, causesS }) => {
    const lostS = causes.reduce((sum, cause) => sum + Math.max(0, causesS[cause] ?? 0), 0);
    const whole = Math.max(timeS, lostS);
    const parts = causes.map((cause) => ({
      cause,
      share: whole > 0 ? Math.max(0, causesS[cause] ?? 0) / whole : 0,
    }));
    return { devices, parts, useful: whole > 0 ? 1 - lostS / whole : 0 };
  });
  return { causes, rows };
}

/** Causes as people say them: `pipelineBubble` is `pipeline bubble`. */
export function causeWords(cause: string): string {
  return cause
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
}

/** The point at the knee, or the last one before it. */
export function pointAtKnee(
  points: Points,
  knee: number | null,
): { readonly devices: number; readonly efficiency: number } | undefined {
  if (knee === null) return undefined;
  return points.findLast(({ devices }) => devices <= knee) ?? points[0];
}
