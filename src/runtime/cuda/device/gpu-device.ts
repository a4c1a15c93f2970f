import assert from "node:assert/strict";
import type { Clock } from "../../../platform/time/clock.ts";
import type { CudaLibraries } from "../libraries/load-cuda.ts";
import type {
  CudaDevice,
  CudaDeviceId,
  CudaDeviceProperties,
  CudaEvent,
  CudaMemory,
  CudaStream,
  KernelModule,
  KernelSource,
  StreamPriority,
} from "./device.ts";
import type { DeviceContext } from "./device-context.ts";
import { DeviceEvent } from "./device-event.ts";
import { DeviceMemory } from "./device-memory.ts";
import { DeviceStream, type StreamHome } from "./device-stream.ts";
import { ArgumentBlock } from "./kernel-arguments.ts";
import { KernelModules } from "./kernel-modules.ts";
import { readsOrdinaryMemory } from "./properties.ts";

export interface GpuDeviceOptions {
  /** Released with the device. */
  readonly context: DeviceContext;
  readonly properties: CudaDeviceProperties;
  readonly clock: Clock;
  /** Called when the last use has ended. */
  readonly forget: () => void;
}

/** One GPU of this process, shared by all who open it. */
export class GpuDevice implements CudaDevice {
  readonly id: CudaDeviceId;
  readonly properties: CudaDeviceProperties;
  readonly libraries: CudaLibraries;
  readonly memory: CudaMemory;
  readonly stream: CudaStream;
  readonly #context: DeviceContext;
  readonly #ownMemory: DeviceMemory;
  readonly #modules: KernelModules;
  readonly #home: StreamHome;
  readonly #events = new Set<DeviceEvent>();
  readonly #streams = new Set<DeviceStream>();
  readonly #releases: (() => void)[] = [];
  readonly #forget: () => void;
  #uses = 1;

  constructor({ context, properties, clock, forget }: GpuDeviceOptions) {
    this.id = `cuda:${properties.index}`;
    this.libraries = context.libraries;
    this.#forget = forget;
    this.properties = properties;
    this.#context = context;
    this.#home = this.#makeHome(clock);
    const stream = this.#openStream("normal");
    this.stream = stream;
    this.#ownMemory = new DeviceMemory(this.#context, stream);
    this.memory = this.#ownMemory;
    this.#modules = new KernelModules(this.#context, this.properties);
  }

  createStream(options: { readonly priority?: StreamPriority } = {}): CudaStream {
    return this.#openStream(options.priority ?? "normal");
  }

  createEvent(): CudaEvent {
    return this.#home.createEvent({ timing: true });
  }

  module(source: KernelSource): KernelModule {
    return this.#modules.get(source);
  }

  makeCurrent(): void {
    this.#context.makeCurrent();
  }

  synchronize(): void {
    this.#context.check("cuCtxSynchronize", this.#context.enter().cuCtxSynchronize());
  }

  onClose(release: () => void): void {
    this.#releases.push(release);
  }

  /** One more use, which needs its own `close`. */
  open(): void {
    assert(this.#uses > 0);
    this.#uses += 1;
  }

  close(): void {
    assert(this.#uses > 0, `${this.id} was closed more often than it was opened`);
    this.#uses -= 1;
    if (this.#uses > 0) return;
    this.#forget();
    try {
      this.#releaseOthers();
    } finally {
      this.#closeAll();
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** One that throws does not keep the others from theirs. */
  #releaseOthers(): void {
    const problems: unknown[] = [];
    for (const release of this.#releases.splice(0).toReversed()) {
      try {
        release();
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  }

  #closeAll(): void {
    for (const stream of this.#streams) stream.close();
    for (const event of this.#events) event.close();
    this.#modules.close();
    this.#ownMemory.close();
    this.#context.release();
  }

  #makeHome(clock: Clock): StreamHome {
    const readsOrdinary = readsOrdinaryMemory(this.libraries, this.#context.ordinal);
    return {
      device: this,
      context: this.#context,
      arguments: argumentsOf(this.libraries),
      clock,
      readsLater: (bytes) => readsOrdinary && !this.#ownMemory.isPinned(bytes),
      createEvent: ({ timing }) => {
        const forget = (gone: DeviceEvent) => this.#events.delete(gone);
        const event = new DeviceEvent(this.#context, { timing, forget });
        this.#events.add(event);
        return event;
      },
      forgetStream: (stream) => this.#streams.delete(stream),
    };
  }

  #openStream(priority: StreamPriority): DeviceStream {
    const stream = new DeviceStream(this.#home, this.#driverPriority(priority));
    this.#streams.add(stream);
    return stream;
  }

  /** The driver's usual priority is its lowest; ours is in the middle, so that work can wait for it. */
  #driverPriority(priority: StreamPriority): number {
    const [least, greatest] = [Buffer.alloc(4), Buffer.alloc(4)];
    const code = this.#context.enter().cuCtxGetStreamPriorityRange(least, greatest);
    this.#context.check("cuCtxGetStreamPriorityRange", code);
    const [low, high] = [least.readInt32LE(), greatest.readInt32LE()];
    return { low, normal: Math.round((low + high) / 2), high }[priority];
  }
}

const blocks = new WeakMap<CudaLibraries, ArgumentBlock>();

/** The memory is never given back, so there is one for all devices. */
function argumentsOf(libraries: CudaLibraries): ArgumentBlock {
  let block = blocks.get(libraries);
  if (block === undefined) {
    block = new ArgumentBlock(libraries.ffi);
    blocks.set(libraries, block);
  }
  return block;
}
