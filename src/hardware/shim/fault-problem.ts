import type { CudaFault } from "../objects/index.ts";

const gpuMax = 63;
/** A day: whoever wants calls to fail later arms later. */
const afterMsMax = 86_400_000;
/** A call that hangs for longer is no slow call. */
const latencyUsMax = 60_000_000;

/** Why the shim cannot do this; undefined: it can. */
export function faultProblem(fault: CudaFault): string | undefined {
  const { gpus, afterCalls = 0, afterMs = 0, probability = 1, latencyUs = 0, seed = 0 } = fault;
  const isGpu = (gpu: number): boolean => Number.isInteger(gpu) && gpu >= 0 && gpu <= gpuMax;
  if (!Number.isInteger(fault.xid) || fault.xid < 0 || fault.xid > 0xffff)
    return `${fault.xid} is no XID`;
  if (gpus !== undefined && (gpus.length === 0 || !gpus.every(isGpu)))
    return `GPUs are numbers from 0 to ${gpuMax}, at least one, not ${JSON.stringify(gpus)}`;
  if (!Number.isSafeInteger(afterCalls) || afterCalls < 0)
    return `calls that go well first are a number from 0 on, not ${afterCalls}`;
  if (!(afterMs >= 0 && afterMs <= afterMsMax))
    return `the time that calls go well first is at most a day, not ${afterMs} ms`;
  if (!(probability >= 0 && probability <= 1))
    return `a probability is from 0 to 1, not ${probability}`;
  if (!(latencyUs >= 0 && latencyUs <= latencyUsMax))
    return `a delay is at most a minute, not ${latencyUs} µs`;
  if (!Number.isSafeInteger(seed)) return `a seed is a whole number, not ${seed}`;
  return undefined;
}
