import assert from "node:assert/strict";
import { TesseraError } from "../../../platform/errors/index.ts";
import { type Clock, sleep } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import type { CudaDevice, CudaEvent } from "../device/device.ts";
import { type NcclFunctions, ncclUniqueIdBytes } from "../ffi/nccl.ts";
import type { BoundNccl } from "./bind-nccl.ts";
import { nonBlockingConfig, nonBlockingSince } from "./nccl-config.ts";
import { ncclError, ncclResults } from "./nccl-results.ts";

export interface CommunicatorOptions {
  readonly nccl: BoundNccl;
  /** The GPU of this rank. */
  readonly device: CudaDevice;
  readonly rank: number;
  readonly worldSize: number;
  /** From `newUniqueId` of one of the ranks. */
  readonly uniqueId: Uint8Array;
  readonly clock: Clock;
  /** Ends every wait; the call then rejects with its reason. */
  readonly signal: AbortSignal;
  /** How long meeting the others may take, and later each operation. @default 120_000 */
  readonly timeoutMs?: number;
}

/** A call of NCCL on a communicator. */
export type NcclCall = (functions: NcclFunctions, communicator: bigint) => number;

const timeoutMsDefault = 120_000;
/** Aborting waits for NCCL's own threads; a rank that hangs in the driver cannot be waited for. */
const abortMsMax = 10_000;

/** A group of ranks that exchange data through NCCL, seen from one of them. */
export class NcclCommunicator {
  readonly rank: number;
  readonly worldSize: number;
  readonly version: string;
  /** Whether NCCL returns at once and can be given up; versions before 2.14 hold the thread. */
  readonly nonBlocking: boolean;
  private readonly options: CommunicatorOptions;
  private handle = 0n;
  private state: "open" | "aborted" | "closed" = "open";
  /** Something went wrong, so that the others cannot be expected to leave in order. */
  private failed = false;
  private aborting: Promise<void> | undefined;

  private constructor(options: CommunicatorOptions) {
    this.options = options;
    this.rank = options.rank;
    this.worldSize = options.worldSize;
    this.version = options.nccl.version;
    this.nonBlocking = options.nccl.versionCode >= nonBlockingSince;
  }

  /**
   * Meets the other ranks.
   *
   * @throws E_CUDA when NCCL says no; E_TIMEOUT when not all ranks come; the signal's reason.
   */
  static async open(options: CommunicatorOptions): Promise<NcclCommunicator> {
    assert.equal(options.uniqueId.length, ncclUniqueIdBytes, "a unique id has 128 bytes");
    options.signal.throwIfAborted();
    const communicator = new NcclCommunicator(options);
    try {
      await communicator.start();
      return communicator;
    } catch (error) {
      await communicator.abort();
      throw error;
    }
  }

  private async start(): Promise<void> {
    const { nccl, device, rank, worldSize, uniqueId } = this.options;
    const { functions } = nccl;
    // NCCL takes the GPU whose context is current.
    device.makeCurrent();
    const result = Buffer.alloc(8);
    const id = { internal: uniqueId };
    const call = this.nonBlocking ? "ncclCommInitRankConfig" : "ncclCommInitRank";
    const code = this.nonBlocking
      ? functions.ncclCommInitRankConfig(result, worldSize, id, rank, nonBlockingConfig())
      : functions.ncclCommInitRank(result, worldSize, id, rank);
    this.handle = result.readBigUInt64LE();
    await this.accepted(call, code);
  }

  /**
   * Puts a call on the GPU's stream; resolves when NCCL has done so, not when the GPU is done.
   *
   * @param name NCCL's name of the call, for errors.
   * @throws E_CUDA, E_TIMEOUT, or the signal's reason.
   */
  async enqueue(name: string, call: NcclCall): Promise<void> {
    assert(this.state === "open", `${name} on a communicator that is ${this.state}`);
    this.options.device.makeCurrent();
    await this.accepted(name, call(this.options.nccl.functions, this.handle));
  }

  /** Makes calls that NCCL must see together, each with its own answer. */
  async enqueueGroup(
    name: string,
    calls: (functions: NcclFunctions, communicator: bigint) => readonly number[],
  ): Promise<void> {
    assert(this.state === "open", `${name} on a communicator that is ${this.state}`);
    const { functions } = this.options.nccl;
    this.options.device.makeCurrent();
    this.refuse("ncclGroupStart", functions.ncclGroupStart());
    const codes = calls(functions, this.handle);
    // A group that was begun must be ended, also when one of its calls was refused.
    const ended = functions.ncclGroupEnd();
    for (const code of codes) this.refuse(name, code);
    await this.accepted("ncclGroupEnd", ended);
  }

  /** Waits for an event of the GPU, and notices when a rank it waits for has failed. */
  async settled(name: string, event: CudaEvent): Promise<void> {
    await this.poll(name, () => {
      const error = this.asyncError();
      if (error !== ncclResults.success && error !== ncclResults.inProgress) {
        this.refuse(name, error);
      }
      return event.isDone();
    });
  }

  /** Leaves in order; gives up when something went wrong before, or when the others do not leave. */
  async close(): Promise<void> {
    if (this.state !== "open" || this.failed) return this.abort();
    const { functions } = this.options.nccl;
    try {
      if (this.nonBlocking) {
        await this.accepted("ncclCommFinalize", functions.ncclCommFinalize(this.handle));
      }
      this.state = "closed";
      functions.ncclCommDestroy(this.handle);
    } catch {
      await this.abort();
    }
  }

  /**
   * Gives up: work on the GPU that waits for others ends, and they notice. Waits at most ten seconds;
   * a process that NCCL still holds then is for its launcher to end.
   */
  async abort(): Promise<void> {
    if (this.state === "open" && this.handle !== 0n) {
      this.state = "aborted";
      this.aborting = this.abortOnThread();
    }
    await this.aborting;
  }

  private abortOnThread(): Promise<void> {
    const { clock, nccl } = this.options;
    return new Promise<void>((resolve) => {
      const timer = clock.setTimer(abortMsMax, resolve);
      const done = () => {
        timer.cancel();
        resolve();
      };
      onThread(nccl.functions.ncclCommAbort)(this.handle, done);
    });
  }

  private async accepted(name: string, code: number): Promise<void> {
    if (code !== ncclResults.inProgress) {
      this.refuse(name, code);
      return;
    }
    await this.poll(name, () => {
      const error = this.asyncError();
      if (error === ncclResults.inProgress) return false;
      this.refuse(name, error);
      return true;
    });
  }

  private asyncError(): number {
    const result = Buffer.alloc(4);
    const { functions } = this.options.nccl;
    this.refuse("ncclCommGetAsyncError", functions.ncclCommGetAsyncError(this.handle, result));
    return result.readInt32LE();
  }

  private refuse(call: string, code: number): void {
    if (code === ncclResults.success || code === ncclResults.inProgress) return;
    this.failed = true;
    throw ncclError(this.options.nccl.functions, { call, code, communicator: this.handle });
  }

  private async poll(what: string, isDone: () => boolean): Promise<void> {
    const { clock, signal, timeoutMs = timeoutMsDefault } = this.options;
    const deadlineMs = clock.monotonicMs() + timeoutMs;
    try {
      while (!isDone()) {
        if (clock.monotonicMs() > deadlineMs) {
          const timeout = formatDurationMs(timeoutMs);
          throw new TesseraError("E_TIMEOUT", { what: `${what} of rank ${this.rank}`, timeout });
        }
        await sleep(clock, 0, signal);
      }
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }
}

/** The FFI can make a call on a thread of its own. */
function onThread(
  call: (communicator: bigint) => number,
): (communicator: bigint, done: () => void) => void {
  return (call as typeof call & { async: (c: bigint, done: () => void) => void }).async;
}
