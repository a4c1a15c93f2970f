import type { Fleet } from "../policy.ts";

/** How unequal nodes are: the smaller, the more one defect says about the next. */
const nodeShape = 0.5;

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
  return Float64Array.from(fleet.nodes, ({ sku, rack }, node) => {
    const group = (bySku.get(sku) ?? 1) * (byRack.get(rack) ?? 1);
    const own = (nodeShape + (onsets[node] ?? 0)) / (nodeShape + group * expected);
    return perHour * group * own;
  });
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
