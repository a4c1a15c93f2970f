import { cudaDtypeBytes } from "../../cuda/tensor/index.ts";
import { type AnyTensor, type Comparable, isTensor, type Place, placesOf } from "./comparable.ts";
import {
  findDifferences,
  flippedBitsOf,
  hexOf,
  type KeptDifference,
  valueOf,
} from "./differences.ts";
import { formatReport } from "./format-report.ts";
import type { Part } from "./holdings.ts";
import { guessPattern } from "./pattern.ts";
import type {
  Difference,
  EqualityReport,
  ReplicaDisagreement,
  TensorComparison,
} from "./report-types.ts";
import { comparisonOf, holdersOf } from "./sections.ts";
import { ulpsOfBits } from "./ulp.ts";

const leavesShown = 32;

/**
 * Compares as `equal` does, and says where and how two things differ: how many elements, the first of
 * them with its bits and the ranks that hold it, replicas that disagree, distances, which bits, and
 * what the places look like. `text` has it in a few lines.
 *
 * @throws as `equal`
 */
export function report(a: Comparable, b: Comparable): EqualityReport {
  const [ofA, ofB] = [placesOf(a), placesOf(b)];
  const paths = [...new Set([...ofA.keys(), ...ofB.keys()])];
  const compared = paths.map((path) => comparePlaces(path, ofA.get(path), ofB.get(path)));
  return summaryOf(compared);
}

/** How two tensors differ. @throws as `equal` */
export function compareTensors(path: string, a: AnyTensor, b: AnyTensor): TensorComparison {
  const comparison = comparisonOf(a, b);
  if ("mismatch" in comparison) return different(path, comparison.mismatch);
  const { dtype, shape } = a;
  const bits = 8 * cudaDtypeBytes(dtype);
  const found = findDifferences(comparison.sections, { dtype, bits });
  const [first] = found.kept;
  const { elements, differing, kept, maxUlps, maxAbs, maxRel, flippedBits } = found;
  const { parts } = comparison;
  return {
    path,
    equal: differing === 0,
    dtype,
    shape,
    elements,
    differing,
    ...(first === undefined ? {} : { first: differenceOf(first, { path, dtype, bits }) }),
    replicas: [
      ...disagreements(parts.a, { path, side: "a" }),
      ...disagreements(parts.b, { path, side: "b" }),
    ],
    maxUlps,
    maxAbs,
    maxRel,
    flippedBits,
    pattern: guessPattern({
      shape: first?.section.shape ?? shape,
      elements,
      differing,
      // Places in different parts of unfinished sums make no common pattern.
      kept: kept.filter(({ section }) => section === first?.section),
    }),
  };
}

function comparePlaces(path: string, a: Place | undefined, b: Place | undefined): TensorComparison {
  if (a === undefined || b === undefined) {
    return different(path, `only ${a === undefined ? "b" : "a"} has it`);
  }
  if (a.kind !== "leaf" || b.kind !== "leaf") {
    return a.kind === b.kind ? same(path) : different(path, `a ${a.kind} against a ${b.kind}`);
  }
  if (isTensor(a.value) && isTensor(b.value)) return compareTensors(path, a.value, b.value);
  if (Object.is(a.value, b.value)) return { ...same(path), elements: 1 };
  return different(path, `${shown(a.value)} against ${shown(b.value)}`);
}

function same(path: string): TensorComparison {
  return {
    path,
    equal: true,
    elements: 0,
    differing: 0,
    replicas: [],
    maxUlps: null,
    maxAbs: null,
    maxRel: null,
    flippedBits: [],
    pattern: { pattern: "none", text: "nothing differs" },
  };
}

function different(path: string, mismatch: string): TensorComparison {
  return { ...same(path), equal: false, mismatch };
}

function shown(value: unknown): string {
  if (isTensor(value)) return value.toString();
  if (Object.is(value, -0)) return "-0";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
}

function differenceOf(
  { section, flat, a, b }: KeptDifference,
  { path, dtype, bits }: { path: string; dtype: AnyTensor["dtype"]; bits: number },
): Difference {
  const index = section.indexOf(flat);
  return {
    path,
    index,
    flatIndex: flat,
    a: {
      value: valueOf(dtype, a),
      bits: hexOf(a, bits),
      ranks: holdersOf(section.a, { index, bits: a }),
    },
    b: {
      value: valueOf(dtype, b),
      bits: hexOf(b, bits),
      ranks: holdersOf(section.b, { index, bits: b }),
    },
    ulps: ulpsOfBits(dtype, a, b),
    flippedBits: flippedBitsOf(a, b),
  };
}

function disagreements(
  parts: readonly Part[],
  { path, side }: { readonly path: string; readonly side: "a" | "b" },
): readonly ReplicaDisagreement[] {
  return parts.flatMap(({ copies }) => {
    const [most, ...others] = copies;
    const all = copies.reduce((sum, { ranks }) => sum + ranks.length, 0);
    const hasMajority = 2 * most.ranks.length > all;
    return others.map(({ ranks }) => ({ path, side, ranks, against: most.ranks, hasMajority }));
  });
}

function summaryOf(compared: readonly TensorComparison[]): EqualityReport {
  const leaves = compared.filter(({ equal }) => !equal);
  const [worst] = leaves;
  const summary: Omit<EqualityReport, "text"> = {
    equal: leaves.length === 0,
    elements: sum(compared.map(({ elements }) => elements)),
    differing: sum(leaves.map(({ differing }) => differing)),
    ...firstOf(leaves),
    replicas: leaves.flatMap(({ replicas }) => replicas),
    maxUlps: largest(leaves.map(({ maxUlps }) => maxUlps)),
    maxAbs: largest(leaves.map(({ maxAbs }) => maxAbs)),
    maxRel: largest(leaves.map(({ maxRel }) => maxRel)),
    flippedBits: leaves.find(({ differing }) => differing > 0)?.flippedBits ?? [],
    pattern: worst?.pattern ?? { pattern: "none", text: "nothing differs" },
    leaves: leaves.slice(0, leavesShown),
    leavesCompared: compared.length,
    leavesDiffering: leaves.length,
  };
  return { ...summary, text: formatReport(summary) };
}

function firstOf(leaves: readonly TensorComparison[]): { first?: Difference } {
  const first = leaves.find((leaf) => leaf.first !== undefined)?.first;
  return first === undefined ? {} : { first };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function largest(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : numbers.reduce((one, other) => Math.max(one, other));
}
