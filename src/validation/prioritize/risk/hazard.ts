import type { Fleet } from "../policy.ts";

/**
 * How unequal nodes are: the variance of their rates over the square of the mean. The larger, the
 * more one defect says about the next. What is believed before defects were seen, and how firmly.
 */
const inequality = { mean: 2, deviation: 1.5, min: 0.02, max: 8 } as const;

/** Racks and SKUs are presumed alike until this many defects say otherwise. */
const groupDefects = 5;

/**
 * New defects per hour of each node: lemons have had defects before. The fleet's rate, times what
 * its SKU and its rack have seen against what was expected of them, times the same for the node.
 *
 * @param onsets defects each node has had so far, as expected from all that was seen.
 */
export function onsetRates(
  fleet: Fleet,
  {
    onsets,
    hours,
    perHour,
  }: { readonly onsets: Float64Array; readonly hours: number; readonly perHour: number },
): Float64Array {
  const expected = perHour * hours;
  const bySku = groupFactors(
    fleet.nodes.map(({ sku }) => sku),
    onsets,
    expected,
  );
  const byRack = groupFactors(
    fleet.nodes.map(({ rack }) => rack),
    onsets,
    expected,
  );
  const nodeShape = 1 / inequalityOf(onsets, expected);
  return Float64Array.from(fleet.nodes, ({ sku, rack }, node) => {
    const group = (bySku.get(sku) ?? 1) * (byRack.get(rack) ?? 1);
    const own = (nodeShape + (onsets[node] ?? 0)) / (nodeShape + group * expected);
    return perHour * group * own;
  });
}

/**
 * How unequal nodes are, going by how unequally defects fell on them: more than chance would let
 * them. The fewer defects there were, the more is left to what was believed before.
 *
 * @param expected defects of each node, if all were alike.
 */
export function inequalityOf(onsets: Float64Array, expected: number): number {
  const nodes = onsets.length;
  const mean = onsets.reduce((sum, one) => sum + one, 0) / nodes;
  if (mean <= 0 || expected <= 0 || nodes < 2) return inequality.mean;
  const variance = onsets.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (nodes - 1);
  const seen = Math.max(0, (variance - mean) / mean ** 2);
  // How far chance alone moves the figure when all nodes are alike.
  const chance = Math.sqrt((2 + 1 / mean) / nodes) / mean;
  const [before, now] = [1 / inequality.deviation ** 2, 1 / chance ** 2];
  const both = (before * inequality.mean + now * seen) / (before + now);
  return Math.max(inequality.min, Math.min(inequality.max, both));
}

function groupFactors(
  groups: readonly string[],
  onsets: Float64Array,
  expected: number,
): ReadonlyMap<string, number> {
  const seen = new Map<string, { defects: number; nodes: number }>();
  groups.forEach((group, node) => {
    const { defects, nodes } = seen.get(group) ?? { defects: 0, nodes: 0 };
    seen.set(group, { defects: defects + (onsets[node] ?? 0), nodes: nodes + 1 });
  });
  return new Map(
    [...seen].map(([group, { defects, nodes }]) => [
      group,
      (groupDefects + defects) / (groupDefects + nodes * expected),
    ]),
  );
}
