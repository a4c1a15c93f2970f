import { freemem } from "node:os";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import {
  type CollectiveTransport,
  joinWorld,
  measureCollective,
  type RankTask,
  type RankTaskContext,
  type World,
} from "../../../runtime/ranks/index.ts";
import { type TaskInput, type TaskValue, taskInputSchema } from "./task-input.ts";

/** What one of two buffers may take of a GPU's free memory; NCCL needs some too. */
const gpuShare = 0.45;
/** Each rank of one host holds two buffers and what is under way. */
const hostBuffersPerRank = 4;

/** What a rank measures with. */
interface Opened {
  readonly transport: CollectiveTransport;
  /** The largest buffer this rank can have. */
  readonly bufferBytesMax: number;
  close(): Promise<void>;
}

/** One rank of the loop-back: meets the others, measures all sizes with them, hands in the times. */
export const ncclLoopbackTask: RankTask = async (context) => {
  const input = taskInputSchema.parse(context.input);
  const world = await joinWorld({ ...context, timeoutMs: input.operationTimeoutMs });
  try {
    const how = { context, input };
    const opened =
      input.transport === "tcp" ? await openTcp(world, how) : await openGpu(world, how);
    try {
      return await measure(world, { ...how, opened });
    } catch (error) {
      // The others wait for this rank, and leaving in order would mean to wait for them.
      opened.transport.abort(messageOf(error));
      throw error;
    } finally {
      await opened.close();
    }
  } finally {
    await world.leave();
  }
};

interface Work {
  readonly context: RankTaskContext;
  readonly input: TaskInput;
}

async function measure(
  world: World,
  { context, input, opened }: Work & { readonly opened: Opened },
): Promise<TaskValue> {
  const { transport } = opened;
  const { dtype, warmUp, iterations, operationTimeoutMs: timeoutMs } = input;
  const { fits, leftOutBytes, bufferBytesMax } = await agreeOnSizes(world, { input, opened });
  const measured = await measureCollective({
    transport,
    op: "all-reduce",
    sizes: fits,
    dtype,
    warmUp,
    iterations,
    signal: context.signal,
    share: (own) => world.gather(own, { timeoutMs }),
    onSize: ({ bytes, timeUs, busbwGBps, wrong }) =>
      context.report({ bytes, timeUs, busbwGBps, wrong }),
  });
  return {
    measured: measured.map(({ op: _op, dtype: _dtype, ranks: _ranks, timesUs, ...size }) => {
      return { ...size, timesUs: [...timesUs] };
    }),
    leftOutBytes,
    bufferBytesMax,
    facts: JSON.parse(JSON.stringify(transport.facts)),
  };
}

/** All ranks measure the same sizes: those for which the one with the least memory has room. */
async function agreeOnSizes(
  world: World,
  { input, opened }: { readonly input: TaskInput; readonly opened: Opened },
): Promise<{ fits: number[]; leftOutBytes: number[]; bufferBytesMax: number }> {
  const all = await world.gather(opened.bufferBytesMax);
  const bufferBytesMax = Math.min(...all);
  const fits = input.sizesBytes.filter((bytes) => bytes <= bufferBytesMax);
  if (fits.length === 0) {
    const room = formatBytes(Math.max(0, bufferBytesMax));
    const problem = `no size fits: there is room for buffers of ${room}`;
    throw new TesseraError("E_CHECK_FAILED", { check: "nccl-loopback", problem });
  }
  const leftOutBytes = input.sizesBytes.filter((bytes) => bytes > bufferBytesMax);
  return { fits, leftOutBytes, bufferBytesMax };
}

async function openTcp(world: World, { context, input }: Work): Promise<Opened> {
  const { createTcpTransport } = await import(
    "../../../runtime/ranks/transports/tcp/tcp-transport.ts"
  );
  const { clock } = context;
  const transport = createTcpTransport({ world, clock, stallMs: input.operationTimeoutMs });
  const bufferBytesMax = Math.floor(freemem() / (world.worldSize * hostBuffersPerRank));
  return { transport, bufferBytesMax, close: () => transport.close() };
}

async function openGpu(world: World, { context, input }: Work): Promise<Opened> {
  const { openNcclTransport } = await import("../../../runtime/ranks/transports/nccl/index.ts");
  const { env, clock, signal } = context;
  const timeoutMs = input.operationTimeoutMs;
  const transport = await openNcclTransport({ world, clock, env, signal, timeoutMs });
  const { freeBytes } = transport.device.memory.available();
  const bufferBytesMax = Math.floor((freeBytes * gpuShare) / input.ranksPerGpu);
  return { transport, bufferBytesMax, close: () => transport.close() };
}
