import type { CudaMatmulOptions } from "../../cuda/ops/index.ts";
import type { CudaTensor } from "../../cuda/tensor/index.ts";
import type { DistTensor } from "../../dist/array/index.ts";
import { type Operand, onOneGpu } from "../../op/operand.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { MatmulOptions } from "../../tensor/ops/index.ts";
import { verifyError } from "../equality/verify-error.ts";
import { meshProductOf } from "./mesh-product.ts";
import { voteOnGpus } from "./vote-on-gpus.ts";
import { voteOnHost } from "./vote-on-host.ts";
import { voteOnMesh } from "./vote-on-mesh.ts";
import type { CudaVoteOptions, Vote, VoteOptions } from "./vote-types.ts";

const devicesMax = 15;

/**
 * Computes a product on several devices and lets them vote, bit for bit. On a mesh every rank's part is
 * computed by the rank's own device and by those next to it, and a device that others outvote is
 * named; so it is with GPUs of one model. One GPU alone computes several times, which shows faults that
 * come and go; this host computes in different ways. Two that agree win of three; where no more than
 * half of `devices` agree, it is inconclusive, and there is no value.
 *
 * @throws as `op.matmul`; E_VERIFY unless `devices` is odd, from 3 to 15.
 */
export function vote(a: Tensor, b: Tensor, options?: VoteOptions): Vote<Tensor>;
export function vote(a: CudaTensor, b: CudaTensor, options?: CudaVoteOptions): Vote<CudaTensor>;
export function vote(a: DistTensor, b: Operand, options?: VoteOptions): Vote<DistTensor>;
export function vote(a: Operand, b: DistTensor, options?: VoteOptions): Vote<DistTensor>;
export function vote(
  a: Operand,
  b: Operand,
  { devices = 3, ...options }: VoteOptions | CudaVoteOptions = {},
): Vote<Operand> {
  if (!Number.isInteger(devices) || devices % 2 !== 1 || devices < 3 || devices > devicesMax) {
    throw verifyError(`vote: devices is an odd number from 3 to ${devicesMax}, not ${devices}`);
  }
  const onMesh = meshProductOf([a, b], options as MatmulOptions);
  if (onMesh !== undefined) return voteOnMesh(onMesh, devices);
  const onGpu = onOneGpu("matmul", [a, b]);
  if (onGpu !== undefined) {
    const pair = onGpu as unknown as readonly [CudaTensor, CudaTensor];
    return voteOnGpus(pair, { devices, options: options as CudaMatmulOptions });
  }
  return voteOnHost([a as Tensor, b as Tensor], { devices, options: options as MatmulOptions });
}
