import { freemem } from "node:os";
import {
  type CollectiveTransport,
  createTcpTransport,
  joinWorld,
  type RankTaskContext,
  type World,
} from "../../../../runtime/ranks/index.ts";

/** How far devices may be apart when they meet: some are slower, and say so by themselves. */
const joinMs = 600_000;
/** How long nothing may move in a collective before a device is named. */
const stallMs = 120_000;
/** What one of two buffers may take of a GPU's free memory; NCCL needs some too. */
const gpuShare = 0.4;
/** Small on a host, where it is not what is under test. */
const hostBytesMax = 2 ** 26;

/** The devices of a run once they have met, and what moves data between them. */
export interface MetDevices {
  readonly world: World;
  readonly transport: CollectiveTransport;
  /** The largest buffer of a collective for which every device has room. */
  readonly bufferBytesMax: number;
}

/** All devices of a run, seen from one of them. */
export interface DeviceGroup {
  /** How many there are. */
  readonly worldSize: number;
  /** Waits for the others; from the second time on they are there. */
  meet(): Promise<MetDevices>;
  /** Tells the others that this device gives up. */
  abort(reason: string): void;
  close(): Promise<void>;
}

/** The group of a rank: NCCL between GPUs, TCP between processes. Nothing is opened before `meet`. */
export function createDeviceGroup(context: RankTaskContext, engine: "cuda" | "cpu"): DeviceGroup {
  let world: World | undefined;
  let transport: CollectiveTransport | undefined;
  let met: Promise<MetDevices> | undefined;
  const { clock, env, signal } = context;
  const open = async (): Promise<MetDevices> => {
    world = await joinWorld({ ...context, timeoutMs: joinMs });
    const common = { world, clock };
    if (engine === "cpu") {
      transport = createTcpTransport({ ...common, stallMs });
      return { world, transport, bufferBytesMax: Math.min(hostBytesMax, freemem() / 16) };
    }
    const nccl = await import("../../../../runtime/ranks/transports/nccl/index.ts");
    const opened = await nccl.openNcclTransport({ ...common, env, signal, timeoutMs: stallMs });
    transport = opened;
    opened.device.memory.trim();
    const { freeBytes } = opened.device.memory.available();
    const rooms = await world.gather(Math.floor(freeBytes * gpuShare), { what: "the free memory" });
    return { world, transport, bufferBytesMax: Math.min(...rooms) };
  };
  return {
    worldSize: context.worldSize,
    meet: () => (met ??= open()),
    abort: (reason) => {
      if (transport === undefined) world?.abort(reason);
      else transport.abort(reason);
    },
    close: async () => {
      await transport?.close();
      await world?.leave();
    },
  };
}
