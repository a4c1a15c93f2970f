import { type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import { relativeTo } from "../equality/differences.ts";
import { ulpDistance } from "../equality/ulp.ts";
import type { CloseVerdict, Tolerance, WorstElement } from "./close-types.ts";

/** What two elements of one leaf are held against. */
export interface Rule {
  readonly path: string;
  /** In whose steps distances are counted. */
  readonly dtype: DType;
  readonly tolerance: Tolerance;
  readonly equalNaN: boolean;
  readonly indexOf: (flat: number) => readonly number[];
}

/** Two elements that were judged. */
interface Pair {
  readonly a: number;
  readonly b: number;
  readonly flat: number;
}

/** Counts what is not close, and keeps the worst. */
export class Tally {
  elements = 0;
  #beyond = 0;
  #refused: string | undefined;
  #worst: { readonly badness: number; readonly pair: Pair; readonly rule: Rule } | undefined;

  /** Notes two places that cannot be compared element by element. */
  refuse(path: string, problem: string): void {
    this.#refused ??= path === "" ? problem : `${path}: ${problem}`;
  }

  /** Two elements whose values differ, or one of which is NaN. */
  judge(rule: Rule, { a, b, flat }: Pair): void {
    const badness = badnessOf(rule, a, b);
    if (badness > 1) this.#beyond++;
    if (badness <= (this.#worst?.badness ?? 0)) return;
    this.#worst = { badness, pair: { a, b, flat }, rule };
  }

  verdict(): CloseVerdict {
    const { elements } = this;
    const beyond = this.#beyond;
    const worst = this.#worst === undefined ? undefined : worstOf(this.#worst);
    const found = {
      elements,
      beyond,
      ...(worst === undefined ? {} : { worst }),
      ...(this.#worst === undefined ? {} : { tolerance: this.#worst.rule.tolerance }),
    };
    if (this.#refused !== undefined) return { close: false, reason: this.#refused, ...found };
    if (worst === undefined)
      return { close: true, reason: `${elements} elements are equal`, ...found };
    const close = beyond === 0;
    const head = close
      ? `all ${elements} elements are within tolerance`
      : `${beyond} of ${elements} elements are not close`;
    return { close, reason: `${head}; ${worstText(worst)}`, ...found };
  }
}

/**
 * How far a pair is beyond what is allowed: up to 1 is close. Steps are only counted where the plain
 * difference is too large.
 */
function badnessOf({ dtype, tolerance, equalNaN }: Rule, a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) {
    return equalNaN && Number.isNaN(a) && Number.isNaN(b) ? 0 : Number.POSITIVE_INFINITY;
  }
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Number.POSITIVE_INFINITY;
  // Halves of numbers whose difference is too large for f64 have one.
  const by = Number.isFinite(a - b) ? 1 : 0.5;
  const abs = Math.abs(by * a - by * b);
  const allowed =
    by * tolerance.atol + tolerance.rtol * Math.max(Math.abs(by * a), Math.abs(by * b));
  if (abs <= allowed) return abs / allowed;
  if (areStepsFew(dtype, tolerance, { a, b })) return 1;
  return allowed === 0 ? 2 + abs : Math.max(abs / allowed, 1 + Number.EPSILON);
}

function areStepsFew(
  dtype: DType,
  { maxUlp }: Tolerance,
  { a, b }: Pick<Pair, "a" | "b">,
): boolean {
  const { precision, minExponent } = dtypeInfo(dtype);
  const largest = Math.max(Math.abs(a), Math.abs(b));
  const widestStep = Math.max(largest * 2 ** (1 - precision), 2 ** minExponent);
  // No step between the two is wider, and each may be rounded by half of one: it cannot be so few.
  if (Math.abs(a - b) > (maxUlp + 1) * widestStep) return false;
  const ulps = ulpDistance(a, b, dtype);
  return ulps !== undefined && ulps <= maxUlp;
}

function allowedFor({ atol, rtol }: Tolerance, a: number, b: number): number {
  return atol + rtol * Math.max(Math.abs(a), Math.abs(b));
}

function worstOf({ pair, rule }: { readonly pair: Pair; readonly rule: Rule }): WorstElement {
  const { a, b, flat } = pair;
  const abs = Math.abs(a - b);
  const ulps = ulpDistance(a, b, rule.dtype);
  return {
    path: rule.path,
    index: rule.indexOf(flat),
    a,
    b,
    abs,
    rel: relativeTo(abs, a, b),
    ulps: ulps === undefined ? null : Number(ulps),
    allowedAbs: allowedFor(rule.tolerance, a, b),
  };
}

function worstText({ path, index, a, b, abs, ulps, allowedAbs }: WorstElement): string {
  const where = `${path}${index.length === 0 ? "" : `[${index.join(", ")}]`}`;
  const steps = ulps === null ? "" : ` (${ulps} ULP)`;
  return `worst ${where === "" ? "" : `at ${where} `}${a} against ${b}: ${shown(abs)}${steps} apart, ${shown(allowedAbs)} allowed`;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(6)));
}
