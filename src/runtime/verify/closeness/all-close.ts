import type { CudaDType } from "../../cuda/tensor/index.ts";
import { type DType, decodeInto, parseDType, type RawArray } from "../../tensor/dtype/index.ts";
import { formatShape, sameShape } from "../../tensor/shape.ts";
import {
  type AnyTensor,
  type Comparable,
  isTensor,
  type Place,
  placesOf,
} from "../equality/comparable.ts";
import { piecesOf, type Reader } from "../equality/readers.ts";
import { alignedOf } from "../equality/sections.ts";
import type { CloseOptions, CloseVerdict } from "./close-types.ts";
import { type Rule, Tally } from "./tally.ts";
import { coarserOf, toleranceFor } from "./tolerances.ts";

/**
 * Whether two things are the same but for rounding. Elements are close when they are within
 * `atol + rtol · the larger magnitude` of each other, or within `maxUlp` steps; the table has a row for
 * every dtype, and `op` with `k` adds what sums of k terms may lose. An infinity is close to itself
 * alone, NaN to nothing unless `equalNaN`. Dtypes may differ: then the coarser one's row is taken.
 * Replicas are all compared. Numbers at leaves count as f64; other values must be the same.
 *
 * @throws E_VERIFY for options out of range; as `equal`
 */
export function allClose(a: Comparable, b: Comparable, options: CloseOptions = {}): CloseVerdict {
  // Bad options are told even when there is nothing to apply them to.
  toleranceFor(parseDType(options.dtype ?? "f32"), options);
  const [ofA, ofB] = [placesOf(a), placesOf(b)];
  const tally = new Tally();
  for (const path of new Set([...ofA.keys(), ...ofB.keys()])) {
    const [one, other] = [ofA.get(path), ofB.get(path)];
    const problem = problemOf(one, other);
    if (problem !== undefined) tally.refuse(path, problem);
    else if (one?.kind === "leaf" && other?.kind === "leaf") {
      compareLeaves(path, [one.value, other.value], { options, tally });
    }
  }
  return tally.verdict();
}

interface Judging {
  readonly options: CloseOptions;
  readonly tally: Tally;
}

function problemOf(one: Place | undefined, other: Place | undefined): string | undefined {
  if (one === undefined) return "only b has it";
  if (other === undefined) return "only a has it";
  return one.kind === other.kind ? undefined : `a ${one.kind} against a ${other.kind}`;
}

function compareLeaves(path: string, [a, b]: readonly [unknown, unknown], judging: Judging): void {
  const { options, tally } = judging;
  if (isTensor(a) && isTensor(b)) {
    compareTensors(path, [a, b], judging);
  } else if (typeof a === "number" && typeof b === "number") {
    tally.elements++;
    const rule = ruleFor(path, parseDType(options.dtype ?? "f64"), options);
    if (a !== b) tally.judge({ ...rule, indexOf: () => [] }, { a, b, flat: 0 });
  } else if (!Object.is(a, b)) {
    tally.refuse(path, `${String(a)} against ${String(b)}`);
  }
}

function ruleFor(path: string, dtype: DType, options: CloseOptions): Omit<Rule, "indexOf"> {
  const { equalNaN = false } = options;
  return { path, dtype, tolerance: toleranceFor(dtype, options), equalNaN };
}

function compareTensors(
  path: string,
  [a, b]: readonly [AnyTensor, AnyTensor],
  { options, tally }: Judging,
): void {
  if (!sameShape(a.shape, b.shape)) {
    tally.refuse(path, `${formatShape(a.shape)} against ${formatShape(b.shape)}`);
    return;
  }
  const coarser = coarserOf(hostDtype(a.dtype), hostDtype(b.dtype));
  const rule = ruleFor(path, parseDType(options.dtype ?? coarser), options);
  for (const { a: one, b: other, indexOf } of alignedOf(a, b).sections) {
    const [firstA, ...restA] = one.versions;
    const [firstB, ...restB] = other.versions;
    const dtypes = [a.dtype, b.dtype] as const;
    const here = { ...rule, indexOf };
    const judge = (found: Judged) => tally.judge(here, found);
    tally.elements += firstA.size;
    walk([firstA, firstB], { dtypes, judge });
    // Copies that disagree are judged too, where they are not what was judged already.
    for (const copy of restA)
      walk([copy, firstB], { dtypes, judge, known: { side: 0, first: firstA } });
    for (const copy of restB)
      walk([firstA, copy], { dtypes, judge, known: { side: 1, first: firstB } });
  }
}

type Judged = Parameters<Tally["judge"]>[1];

interface Walk {
  readonly dtypes: readonly [CudaDType, CudaDType];
  readonly judge: (found: Judged) => void;
  /** What the first copy of the same side has: a pair with its value was judged before. */
  readonly known?: { readonly side: 0 | 1; readonly first: Reader };
}

function walk(pair: readonly [Reader, Reader], { dtypes, judge, known }: Walk): void {
  for (const { start, count, raws } of piecesOf(known ? [...pair, known.first] : pair)) {
    const one = valuesOf(dtypes[0], raws[0] as RawArray, count);
    const other = valuesOf(dtypes[1], raws[1] as RawArray, count);
    const before = known && valuesOf(dtypes[known.side], raws[2] as RawArray, count);
    const now = known?.side === 0 ? one : other;
    for (let at = 0; at < count; at++) {
      const [a, b] = [one[at] as number, other[at] as number];
      if (a === b || (before !== undefined && Object.is(before[at], now[at]))) continue;
      judge({ a, b, flat: start + at });
    }
  }
}

function valuesOf(dtype: CudaDType, raw: RawArray, count: number): Float64Array {
  const values = new Float64Array(count);
  if (dtype !== "i8") decodeInto(dtype, raw, 0, count, values);
  else for (let at = 0; at < count; at++) values[at] = ((raw[at] as number) << 24) >> 24;
  return values;
}

/** i8 has exact values, as i32 has. */
function hostDtype(dtype: CudaDType): DType {
  return dtype === "i8" ? "i32" : dtype;
}
