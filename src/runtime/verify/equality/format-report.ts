import type {
  Difference,
  EqualityReport,
  ReplicaDisagreement,
  StoredValue,
  TensorComparison,
} from "./report-types.ts";

const listed = 8;

/** A comparison in a few lines. */
export function formatReport(report: Omit<EqualityReport, "text">): string {
  const { equal, elements, leavesCompared, leavesDiffering, leaves } = report;
  const of = leavesCompared > 1 ? ` in ${leavesCompared} places` : "";
  if (equal) return `equal: ${elements} elements${of}, bit for bit`;
  const head =
    leavesCompared > 1
      ? `not equal: ${leavesDiffering} of ${leavesCompared} places differ`
      : "not equal";
  const shown = leaves.slice(0, listed).flatMap(linesOf);
  const more = leavesDiffering > listed ? [`and ${leavesDiffering - listed} more places`] : [];
  return [head, ...shown, ...more].join("\n");
}

function linesOf(leaf: TensorComparison): readonly string[] {
  const { path, mismatch, first } = leaf;
  const name = path === "" ? "" : `${path}: `;
  if (mismatch !== undefined || first === undefined) return [`${name}${mismatch ?? "differs"}`];
  return [
    `${name}${leaf.differing} of ${leaf.elements} elements of ${leaf.dtype}[${leaf.shape?.join(", ")}] differ`,
    `  first at ${firstText(first)}`,
    `  largest: ${numberText(leaf.maxUlps)} ULP, absolute ${numberText(leaf.maxAbs)}, relative ${numberText(leaf.maxRel)}`,
    `  bits: ${bitsText(leaf.flippedBits)}; looks like ${leaf.pattern.text}`,
    ...leaf.replicas.slice(0, listed).map((one) => `  ${replicaText(one)}`),
  ];
}

function firstText({ index, a, b, ulps, flippedBits }: Difference): string {
  const apart = ulps === null ? "a NaN" : `${ulps} ULP apart`;
  return `[${index.join(", ")}]: a ${valueText(a)}, b ${valueText(b)}; ${apart}, bits ${listText(flippedBits)}`;
}

function valueText({ value, bits, ranks }: StoredValue): string {
  const shown = Object.is(value, -0) ? "-0" : String(value);
  return `${shown} (${bits})${ranks.length === 0 ? "" : ` on ${ranksText(ranks)}`}`;
}

/** The bits that differ most often. */
function bitsText(histogram: readonly number[]): string {
  const counts = histogram
    .map((count, bit) => ({ bit, count }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || other.bit - one.bit);
  const more = counts.length > listed ? `, and ${counts.length - listed} more` : "";
  return `${counts
    .slice(0, listed)
    .map(({ bit, count }) => `${bit} ×${count}`)
    .join(", ")}${more}`;
}

function replicaText({ side, ranks, against, hasMajority }: ReplicaDisagreement): string {
  const doubt = hasMajority ? "" : " (no majority: either may be wrong)";
  return `replicas of ${side} disagree: ${ranksText(ranks)} against ${ranksText(against)}${doubt}`;
}

function ranksText(ranks: readonly number[]): string {
  return `${ranks.length === 1 ? "rank" : "ranks"} ${listText(ranks)}`;
}

function listText(values: readonly number[]): string {
  const more = values.length > listed ? `, … (${values.length})` : "";
  return `${values.slice(0, listed).join(", ")}${more}`;
}

function numberText(value: number | null): string {
  return value === null ? "-" : String(Number(value.toPrecision(6)));
}
