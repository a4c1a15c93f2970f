import { mostBalanced, squareFirst } from "./factorise.ts";
import type { NodeSize } from "./node-size.ts";

type Level = "gpu" | "node" | "rack";

const levels: Readonly<Record<string, Level>> = {
  gpu: "gpu",
  device: "gpu",
  local: "gpu",
  node: "node",
  host: "node",
  rack: "rack",
};

/** The level of the machine that an axis name stands for, if it stands for one. */
export function levelOf(axis: string): Level | undefined {
  return Object.hasOwn(levels, axis) ? levels[axis] : undefined;
}

/**
 * The shape that axis names of the machine ask for: `gpu` is what a node has, `node` how many
 * nodes there are, `rack` how many racks. Axes with other names share what is left.
 *
 * @returns undefined when no axis has such a name, two have the same, or the devices do not fill
 *   whole nodes.
 */
export function shapeByTopologyNames(
  axes: readonly string[],
  count: number,
  size: NodeSize,
): number[] | undefined {
  const named = axes.map(levelOf);
  const known = named.filter((level) => level !== undefined);
  if (known.length === 0 || new Set(known).size !== known.length) return undefined;
  const wanted = levelSizes(new Set(known), count, size);
  const fixed = named.map((level) => (level === undefined ? undefined : wanted[level]));
  const taken = fixed.reduce<number>((product, length) => product * (length ?? 1), 1);
  const free = fixed.filter((length) => length === undefined).length;
  const whole = fixed.every((length) => length === undefined || Number.isInteger(length));
  if (!whole || count % taken !== 0) return undefined;
  if (free === 0) return taken === count ? fixed.map((length) => length ?? 1) : undefined;
  const rest = shareOut(count / taken, free);
  let next = 0;
  return fixed.map((length) => length ?? rest[next++] ?? 1);
}

/** What each level's axis holds; a fraction when the devices do not fill it, nothing when it is free. */
function levelSizes(
  present: ReadonlySet<Level>,
  count: number,
  size: NodeSize,
): Partial<Record<Level, number>> {
  const perNode = Math.min(count, size.gpusPerNode);
  const perRack = size.gpusPerRack === undefined ? undefined : Math.min(count, size.gpusPerRack);
  const gpu = present.has("rack") && !present.has("node") ? (perRack ?? perNode) : perNode;
  if (!present.has("rack")) return { gpu, node: count / perNode };
  // Without a known rack, racks and the nodes in them share what the GPUs leave.
  if (perRack === undefined) return { gpu };
  return { gpu, node: perRack / perNode, rack: count / perRack };
}

/** Rules 3 and 4: square first from three axes on, else the most balanced. */
function shareOut(count: number, axes: number): number[] {
  return (axes >= 3 ? squareFirst(count, axes) : undefined) ?? mostBalanced(count, axes);
}
