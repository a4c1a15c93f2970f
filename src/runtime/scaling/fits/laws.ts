import { fitToOne } from "./robust.ts";
import { dot } from "./small-squares.ts";
import type { ScalingModel } from "./types.ts";

/** A law with its weights found. */
export interface Law {
  /** By the names a reader knows. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly atBound: readonly string[];
  /** Throughput at N, of that seen in the smallest run. */
  capacity(relativeDevices: number): number;
}

/** What was seen: N, and the throughput there of that in the smallest run. */
export interface Seen {
  readonly relativeDevices: number;
  readonly speedUp: number;
}

interface LawForm {
  /** Different counts below which nothing can be said. */
  readonly countsMin: number;
  /** Free values, the scale included. */
  readonly freedoms: number;
  fit(seen: readonly Seen[]): Law;
}

const boundShare = 1e-9;

/**
 * Each law has a free scale, so that noise in the smallest run does not bend it. Divided by what was
 * seen, all of them are linear in weights of at least 0: N/C = w0 + w1(N-1) + w2·N(N-1) with
 * sigma = w1/w0 and kappa = w2/w0, of which Amdahl's is the one without w2; and Gustafson's C = a·N + b
 * with s = b/(a+b).
 */
export const laws: Readonly<Record<ScalingModel, LawForm>> = {
  linear: { countsMin: 2, freedoms: 1, fit: (seen) => delayLaw(seen, []) },
  amdahl: { countsMin: 3, freedoms: 2, fit: (seen) => delayLaw(seen, ["s"]) },
  gustafson: { countsMin: 3, freedoms: 2, fit: gustafson },
  usl: { countsMin: 4, freedoms: 3, fit: (seen) => delayLaw(seen, ["sigma", "kappa"]) },
};

function delayLaw(seen: readonly Seen[], names: readonly string[]): Law {
  const basis = (n: number) => [1, n - 1, n * (n - 1)].slice(0, 1 + names.length);
  const rows = (of: (n: number) => readonly number[]) =>
    seen.map(({ relativeDevices: n, speedUp }) => of(n).map((term) => (term * speedUp) / n));
  let weights = fitToOne(rows(basis));
  const [w0 = 0, w1 = 0] = weights;
  if (w1 > w0) {
    // Nothing is more serial than wholly: 1 and N-1 then carry the same weight, which is N.
    const [both = 0, ...rest] = fitToOne(rows((n) => [n, ...basis(n).slice(2)]));
    weights = [both, both, ...rest];
  }
  const [scale = 0, ...others] = weights;
  const parameters = Object.fromEntries(
    names.map((name, at) => [name, scale > 0 ? (others[at] ?? 0) / scale : 0]),
  );
  return {
    parameters,
    atBound: boundsMet(parameters),
    capacity: (n) => n / dot(basis(n), weights),
  };
}

function gustafson(seen: readonly Seen[]): Law {
  const weights = fitToOne(
    seen.map(({ relativeDevices: n, speedUp }) => [n / speedUp, 1 / speedUp]),
  );
  const [parallel = 0, fixed = 0] = weights;
  const parameters = { s: fixed / (parallel + fixed) };
  return {
    parameters,
    atBound: boundsMet(parameters),
    capacity: (n) => parallel * n + fixed,
  };
}

function boundsMet(parameters: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(parameters)
    .filter(([name, value]) => value <= boundShare || (name !== "kappa" && value >= 1 - boundShare))
    .map(([name]) => name);
}
