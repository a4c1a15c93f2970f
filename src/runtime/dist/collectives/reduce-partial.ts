import type { DistTensor } from "../array/index.ts";
import { restrict } from "../array/restrict.ts";
import { allReduce } from "./all-reduce.ts";
import type { ReductionOptions } from "./options.ts";

/**
 * Reduces values that the layout calls partial, by the operation it names, and leaves everything
 * else as it is: replicas stay what they are and do not count as often as there are devices.
 *
 * @throws as allReduce.
 */
export function reducePartial(
  given: DistTensor,
  { only, ...options }: Omit<ReductionOptions, "op"> = {},
): DistTensor {
  const x = only === undefined ? given : restrict(given, only, "all-reduce");
  const { over = x.mesh.axes } = options;
  const named = typeof over === "string" ? [over] : over;
  const axes = named.filter(
    (axis) => x.layout.placements[x.mesh.axisIndex(axis)]?.kind === "partial",
  );
  return axes.length === 0 ? x : allReduce(x, { ...options, over: axes });
}
