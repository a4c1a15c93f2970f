import type { Clock } from "../../../platform/time/clock.ts";
import type { CollectiveTransport } from "../ranks.ts";
import { createTcpTransport } from "../transports/tcp/tcp-transport.ts";
import type { World } from "../world/world.ts";

export const transportKinds = ["tcp", "nccl"] as const;
export type TransportKind = (typeof transportKinds)[number];

/**
 * The transport of a kind between the ranks of a world.
 *
 * @throws TesseraError E_CUDA_UNAVAILABLE and its like when NCCL cannot be used here.
 */
export async function openTransport(
  kind: TransportKind,
  options: {
    readonly world: World;
    readonly clock: Clock;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stallMs: number;
  },
): Promise<CollectiveTransport> {
  const { world, clock, env, stallMs } = options;
  if (kind === "tcp") return createTcpTransport({ world, clock, stallMs });
  const { openNcclTransport } = await import("../transports/nccl/index.ts");
  const { signal } = world;
  return openNcclTransport({ world, clock, env, signal, timeoutMs: stallMs });
}
