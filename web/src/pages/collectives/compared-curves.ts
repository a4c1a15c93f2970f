import type { CollectiveCurve } from "../../../../src/control/api/studies.ts";

/** More curves than this in one plot tell nobody anything. */
export const comparedMax = 4;

/** One curve somebody asked for: what stands in the address. */
export interface CurveChoice {
  readonly op: string;
  readonly topology: string;
  readonly devices: number;
  readonly algorithm: string;
}

export const usualChoice: CurveChoice = {
  op: "all-reduce",
  topology: "gb200-nvl72",
  devices: 72,
  algorithm: "auto",
};

const between = "~";

/** A choice as one word of the address. */
export function choiceText({ op, topology, devices, algorithm }: CurveChoice): string {
  return [op, topology, devices, algorithm].join(between);
}

/** The choice in a word of the address; undefined when it is none. */
export function parseChoice(text: string): CurveChoice | undefined {
  const [op = "", topology = "", count = "", algorithm = "", ...rest] = text.split(between);
  const devices = Number(count);
  if (op === "" || topology === "" || algorithm === "" || rest.length > 0) return undefined;
  if (!Number.isInteger(devices) || devices < 2) return undefined;
  return { op, topology, devices, algorithm };
}

/** The choices in the address, each once, no more than there is room for beside the one being made. */
export function parseCompared(text: string | undefined): readonly CurveChoice[] {
  const seen = new Set<string>();
  const found = (text ?? "").split(",").flatMap((one) => {
    const choice = parseChoice(one);
    if (choice === undefined || seen.has(one)) return [];
    seen.add(one);
    return [choice];
  });
  return found.slice(0, comparedMax - 1);
}

/** `all-reduce · nvl72 · 72 devices · auto`. */
export function choiceWords({ op, topology, devices, algorithm }: CurveChoice): string {
  return `${op} · ${topology} · ${devices.toLocaleString("en")} devices · ${algorithm}`;
}

export interface AlgorithmChange {
  readonly bytes: number;
  readonly from: string;
  readonly to: string;
}

/** The sizes from which another algorithm is the better one. */
export function algorithmChanges(points: CollectiveCurve["points"]): readonly AlgorithmChange[] {
  return points.flatMap((point, at) => {
    const before = points[at - 1];
    return before === undefined || before.algorithm === point.algorithm
      ? []
      : [{ bytes: point.bytes, from: before.algorithm, to: point.algorithm }];
  });
}

/** Curves on one axis: all sizes of all of them, and what each says there. */
export function onOneAxis(
  curves: readonly CollectiveCurve[],
  value: (point: CollectiveCurve["points"][number]) => number,
): { readonly x: readonly number[]; readonly series: readonly (readonly (number | null)[])[] } {
  const sizes = new Set(curves.flatMap(({ points }) => points.map(({ bytes }) => bytes)));
  const x = [...sizes].toSorted((a, b) => a - b);
  const series = curves.map(({ points }) => {
    const known = new Map(points.map((point) => [point.bytes, value(point)]));
    return x.map((bytes) => known.get(bytes) ?? null);
  });
  return { x, series };
}

/** The powers of ten around all values, so that a logarithmic axis begins and ends at one. */
export function decades(
  series: readonly (readonly (number | null)[])[],
): readonly [number, number] {
  const known = series.flat().filter((value) => value !== null && value > 0);
  const low = known.reduce<number>((least, value) => Math.min(least, value ?? least), Infinity);
  const high = known.reduce<number>((most, value) => Math.max(most, value ?? most), 0);
  if (!(high > 0)) return [1, 10];
  const from = 10 ** Math.floor(Math.log10(low));
  return [from, Math.max(10 ** Math.ceil(Math.log10(high)), from * 10)];
}
