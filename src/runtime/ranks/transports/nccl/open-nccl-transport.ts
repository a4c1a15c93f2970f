import { TesseraError } from "../../../../platform/errors/index.ts";
import type { Clock } from "../../../../platform/time/clock.ts";
import { type CudaDevice, cudaAvailable, openCudaDevice } from "../../../cuda/device/index.ts";
import type { CollectiveTransport } from "../../ranks.ts";
import { localRankOfStep } from "../../slurm/slurm-rank.ts";
import { createNcclTransport, type NcclTransportOptions } from "./nccl-transport.ts";

export interface OpenNcclOptions {
  readonly world: NcclTransportOptions["world"];
  readonly clock: Clock;
  /** Where NVIDIA's libraries are looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** How long meeting may take, and later each operation. @default 120_000 */
  readonly timeoutMs?: number;
}

/**
 * NCCL between the ranks of a world, on the GPU that is this rank's: ranks of one host follow each
 * other, so its number among those that the process sees is the rank's remainder, or that of the number
 * that srun gave it on its node. The GPU is given back when the transport is closed.
 *
 * @throws E_CUDA_UNAVAILABLE when there is no GPU or no NCCL, and what `createNcclTransport` throws.
 */
export async function openNcclTransport(
  options: OpenNcclOptions,
): Promise<CollectiveTransport & { readonly device: CudaDevice }> {
  const { world, clock, env, signal, timeoutMs } = options;
  const found = cudaAvailable({ env });
  if (!found.available) throw new TesseraError("E_CUDA_UNAVAILABLE", { reason: found.reason });
  const place = localRankOfStep(env) ?? world.rank;
  const device = openCudaDevice(`cuda:${place % found.count}`, { env, clock });
  try {
    const transport = await createNcclTransport({
      world,
      device,
      clock,
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return {
      kind: transport.kind,
      rank: transport.rank,
      worldSize: transport.worldSize,
      facts: transport.facts,
      ops: transport.ops,
      device,
      prepare: (size) => transport.prepare(size),
      barrier: () => transport.barrier(),
      abort: (reason) => transport.abort(reason),
      close: async () => {
        await transport.close();
        device.close();
      },
    };
  } catch (error) {
    device.close();
    throw error;
  }
}
