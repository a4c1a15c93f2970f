import { countsMax } from "../fits/curve.ts";
import type { ScalingKind, ScalingSample } from "../fits/index.ts";
import { tableError } from "./table-error.ts";

/** One run, as somebody wrote it down. */
export interface Run {
  readonly devices: number;
  readonly timeS: number;
  /** Absent: the same for all (strong), or the same for each device (weak). */
  readonly work?: number;
}

/** Work that differs by less is the same. */
const sameShare = 0.01;

/** Runs by count of devices. @throws TesseraError where a count's work differs, or there are too many. */
export function samplesOf(
  runs: readonly Run[],
  kind: ScalingKind,
  file: string,
): { readonly samples: readonly ScalingSample[]; readonly notes: readonly string[] } {
  const byCount = new Map<number, Run[]>();
  for (const run of runs) byCount.set(run.devices, [...(byCount.get(run.devices) ?? []), run]);
  if (byCount.size < 2) {
    throw tableError(file, "it has one count of devices, and scaling needs two or more");
  }
  if (byCount.size > countsMax) throw tableError(file, `more than ${countsMax} counts of devices`);
  const samples = [...byCount]
    .toSorted(([a], [b]) => a - b)
    .map(([devices, own]) => ({
      devices,
      timesS: own.map(({ timeS }) => timeS),
      work: workOf(own, { devices, kind, file }),
    }));
  return { samples, notes: notesOf(samples, kind) };
}

function workOf(
  own: readonly Run[],
  {
    devices,
    kind,
    file,
  }: { readonly devices: number; readonly kind: ScalingKind; readonly file: string },
): number {
  const works = new Set(own.map(({ work }) => work ?? (kind === "strong" ? 1 : devices)));
  const [work] = works;
  if (works.size === 1 && work !== undefined) return work;
  throw tableError(file, `runs with ${devices} devices differ in their work`);
}

function notesOf(samples: readonly ScalingSample[], kind: ScalingKind): readonly string[] {
  const loads = samples.map(({ work, devices }) => (kind === "strong" ? work : work / devices));
  const uneven = Math.max(...loads) > (1 + sameShare) * Math.min(...loads);
  const single = samples.filter(({ timesS }) => timesS.length === 1).length;
  const what = kind === "strong" ? "The work differs" : "The work for each device differs";
  return [
    ...(uneven
      ? [
          `${what} between counts: efficiency is that of the throughput, and this is no pure ${kind} scaling.`,
        ]
      : []),
    ...(single > 0
      ? [
          `${single} of ${samples.length} counts were run once: what lies between their runs is not known.`,
        ]
      : []),
  ];
}
