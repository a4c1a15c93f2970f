import { DistTensor, tensor } from "../array/index.ts";
import type { Mesh } from "../mesh/index.ts";
import { begin } from "./call.ts";
import type { CollectiveOptions } from "./options.ts";
import { checkWays, phaseOf } from "./preflight.ts";
import { ring } from "./routes.ts";
import { report } from "./timing.ts";

/**
 * Waits until every device of each group has come so far. Nothing waits in a simulation; what a
 * barrier tells is whether all devices could.
 *
 * @param where a mesh, or a tensor on it.
 * @throws E_DEVICE_LOST, E_PARTITION
 */
export function barrier(where: Mesh | DistTensor, options: CollectiveOptions = {}): void {
  const x = where instanceof DistTensor ? where : tensor([0], { mesh: where });
  const call = begin("barrier", x, options);
  const { slowdown } = checkWays(call, [phaseOf(call, "arrive", ring)]);
  report(call, { bytes: 0, dtype: x.dtype, shape: [], slowdown });
}
