import type { CudaMatmulOptions } from "../../cuda/ops/index.ts";
import { matmul as matmulOnGpu } from "../../cuda/ops/index.ts";
import type { CudaTensor } from "../../cuda/tensor/index.ts";
import type { DistTensor } from "../../dist/array/index.ts";
import { onCuda } from "../../op/on-cuda.ts";
import { type Operand, onOneGpu } from "../../op/operand.ts";
import { measured } from "../../profile/index.ts";
import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { MatmulOptions } from "../../tensor/ops/index.ts";
import { likeGpus, productOnGpu } from "./cuda-product.ts";
import { hostWays } from "./host-product.ts";
import {
  assemble,
  computeParts,
  type MeshProduct,
  meshProductOf,
  noWorker,
  workersFor,
} from "./mesh-product.ts";
import { recordRedundant } from "./record-redundant.ts";
import { withRedundancy } from "./redundancy.ts";

/**
 * The product that `op.matmul` gives, computed elsewhere in the same order: on a mesh each part by the
 * next device that can be reached, on a GPU by the next one of the same model, on the host by another
 * engine. Where there is no other, by the same once more. `redundancyOf(result)` says which it was.
 *
 * @throws as `op.matmul`; E_PARTITION when a device reaches no other.
 */
export function redundantMatmul(
  a: Operand,
  b: Operand,
  options: MatmulOptions | CudaMatmulOptions,
): Operand {
  const onMesh = meshProductOf([a, b], options as MatmulOptions);
  if (onMesh !== undefined) return productByOthers(onMesh);
  const onGpu = onOneGpu("matmul", [a, b]);
  if (onGpu !== undefined) {
    return productByOtherGpu(
      onGpu as unknown as readonly [CudaTensor, CudaTensor],
      options as CudaMatmulOptions,
    );
  }
  return productOtherwise([a as Tensor, b as Tensor], options as MatmulOptions);
}

function productByOthers(product: MeshProduct): DistTensor {
  const { mesh } = product;
  const workers = mesh.devices.map((_, rank) => {
    const [own, next] = workersFor(product, rank);
    if (next !== undefined) return next;
    if (mesh.size > 1) throw noWorker(product, rank);
    return own ?? rank;
  });
  const isAlone = mesh.size === 1;
  const notes = isAlone
    ? ["SAME_DEVICE the mesh has one device: a fault that stays is not seen"]
    : ["REDUNDANT each rank's part was computed by the next device that it reaches"];
  const blocks = computeParts(product, (rank) => workers[rank] ?? rank);
  const y = assemble(product, blocks, notes);
  recordRedundant(product, y, notes);
  return withRedundancy(y, {
    independence: isAlone ? "same-device" : "other-device",
    computedBy: workers.map((rank) => mesh.deviceOf(rank)),
    notes,
  });
}

function productByOtherGpu(
  inputs: readonly [CudaTensor, CudaTensor],
  options: CudaMatmulOptions,
): CudaTensor {
  const [a, b] = inputs;
  const [other] = likeGpus(a.device);
  const y = onCuda({
    op: "matmul",
    inputs,
    compute: () =>
      other === undefined ? matmulOnGpu(a, b, options) : productOnGpu(other, inputs, options),
    flops: ([one], out) => 2 * out.size * (one?.shape.at(-1) ?? 0),
  });
  const notes =
    other === undefined
      ? [
          `SAME_DEVICE there is no other ${a.device.properties.model}: a fault that stays is not seen`,
        ]
      : [`REDUNDANT computed on ${other}, brought back over the host`];
  const independence = other === undefined ? "same-device" : "other-device";
  return withRedundancy(y, { independence, computedBy: [other ?? a.device.id], notes });
}

function productOtherwise(inputs: readonly [Tensor, Tensor], options: MatmulOptions): Tensor {
  const [a, b] = inputs;
  const [own, other] = hostWays(a, b, options);
  const way = other ?? own;
  const isOther = other !== undefined;
  const notes = isOther
    ? [
        `REDUNDANT computed by ${way?.name} instead of ${own?.name}; the core is the system's choice`,
      ]
    : ["SAME_DEVICE computed in the same way once more: a fault that stays is not seen"];
  const y = measured(
    (out) => ({
      op: "matmul",
      kind: "compute",
      bytes: [a, b, out].reduce((sum, one) => sum + one.size * dtypeInfo(one.dtype).bytes, 0),
      flops: 2 * out.size * (a.shape.at(-1) ?? 0),
      devices: 1,
      groups: 1,
      dtype: out.dtype,
      shape: out.shape,
      notes,
    }),
    () => (way as NonNullable<typeof way>).compute(a, b),
  );
  const independence = isOther ? "other-code" : "same-device";
  return withRedundancy(y, { independence, computedBy: [way?.name ?? "host"], notes });
}
