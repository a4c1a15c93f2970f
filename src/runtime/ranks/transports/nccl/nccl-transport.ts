import { TesseraError } from "../../../../platform/errors/index.ts";
import type { Clock } from "../../../../platform/time/clock.ts";
import type { CudaDevice } from "../../../cuda/device/device.ts";
import {
  type BoundNccl,
  bindNccl,
  NcclCommunicator,
  newUniqueId,
} from "../../../cuda/nccl/index.ts";
import type { CollectiveTransport, PreparedCollective, PreparedSize } from "../../ranks.ts";
import type { World } from "../../world/world.ts";
import { isNcclOp, ncclOps } from "./calls.ts";
import { PreparedNcclCollective } from "./prepared.ts";

export interface NcclTransportOptions {
  /** The ranks, which have met over TCP: NCCL's own meeting needs a name that all know. */
  readonly world: Pick<World, "rank" | "worldSize" | "signal" | "barrier" | "broadcast" | "abort">;
  /** The GPU of this rank; not closed with the transport. */
  readonly device: CudaDevice;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** How long meeting may take, and later each operation. @default 120_000 */
  readonly timeoutMs?: number;
}

/**
 * Moves data between GPUs with NCCL, one process for each.
 *
 * @throws E_CUDA_UNAVAILABLE when NCCL cannot be loaded, on every rank; E_CUDA, E_TIMEOUT or
 * E_RANK_LOST when the ranks do not come together.
 */
export async function createNcclTransport(
  options: NcclTransportOptions,
): Promise<CollectiveTransport> {
  const { world, device, clock, timeoutMs } = options;
  const signal = AbortSignal.any([world.signal, ...(options.signal ? [options.signal] : [])]);
  const nccl = bindNccl(device.libraries);
  const uniqueId = await shareUniqueId(world, nccl);
  const communicator = await NcclCommunicator.open({
    nccl,
    device,
    rank: world.rank,
    worldSize: world.worldSize,
    uniqueId,
    clock,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  return new NcclTransport(options, communicator);
}

async function shareUniqueId(
  world: NcclTransportOptions["world"],
  nccl: BoundNccl,
): Promise<Uint8Array> {
  const own = world.rank === 0 ? Buffer.from(newUniqueId(nccl)).toString("base64") : "";
  const shared = await world.broadcast(own, { what: "the name of NCCL's group" });
  return new Uint8Array(Buffer.from(shared, "base64"));
}

class NcclTransport implements CollectiveTransport {
  readonly kind = "nccl";
  readonly rank: number;
  readonly worldSize: number;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly ops = ncclOps;
  private readonly options: NcclTransportOptions;
  private readonly communicator: NcclCommunicator;

  constructor(options: NcclTransportOptions, communicator: NcclCommunicator) {
    const { model, uuid, pciBusId, driverVersion } = options.device.properties;
    this.options = options;
    this.communicator = communicator;
    this.rank = communicator.rank;
    this.worldSize = communicator.worldSize;
    this.facts = {
      nccl: communicator.version,
      nonBlocking: communicator.nonBlocking,
      gpu: { model, uuid, pciBusId },
      driver: driverVersion,
    };
  }

  async prepare(size: PreparedSize): Promise<PreparedCollective> {
    const { op } = size;
    if (!isNcclOp(op)) {
      const problem = "NCCL does not carry it out";
      const remedy = `Choose one of ${ncclOps.join(", ")}.`;
      throw new TesseraError("E_COLLECTIVE", { op, problem, remedy });
    }
    const { device } = this.options;
    const { communicator } = this;
    return new PreparedNcclCollective({ device, communicator, size: { ...size, op } });
  }

  async barrier(): Promise<void> {
    await this.options.world.barrier();
  }

  abort(reason: string): void {
    this.options.world.abort(reason);
    void this.communicator.abort();
  }

  async close(): Promise<void> {
    await this.communicator.close();
  }
}
