import assert from "node:assert/strict";
import type { CudaDevice, DeviceBuffer, DevicePlace, Kernel } from "../../../cuda/device/device.ts";
import {
  type ExactValues,
  exactValues,
  exactValuesKernel,
  type NcclCommunicator,
  valueAt,
} from "../../../cuda/nccl/index.ts";
import { type Block, type CollectiveShape, shapeOf } from "../../measure/shapes.ts";
import { elementsOf, valueOf, wireFormats } from "../../measure/wire-dtype.ts";
import type { PreparedCollective, PreparedSize } from "../../ranks.ts";
import { enqueueCollective, type NcclOp } from "./calls.ts";
import { elementTypes } from "./element-types.ts";

const threads = 256;
/** Enough to fill any GPU; each thread goes on to further elements. */
const blocksMax = 4096;
/** Count of wrong elements and the first of them, as u64. */
const foundBytes = 16;
/** NCCL is given real addresses, also by ranks that have nothing to send or receive. */
const bufferBytesMin = 16;

export interface PreparedOptions {
  readonly device: CudaDevice;
  readonly communicator: NcclCommunicator;
  readonly size: PreparedSize & { readonly op: NcclOp };
}

/** Buffers on the GPU for one collective. */
export class PreparedNcclCollective implements PreparedCollective {
  readonly bytes: number;
  readonly #options: PreparedOptions;
  readonly #shape: CollectiveShape;
  readonly #answerElements: number;
  readonly #elementBytes: number;
  readonly #values: ExactValues;
  readonly #kernels: { readonly fill: Kernel; readonly verify: Kernel };
  readonly #send: DeviceBuffer;
  readonly #receive: DeviceBuffer;
  readonly #found: DeviceBuffer;

  /** @throws E_CUDA when the GPU has not enough memory. */
  constructor(options: PreparedOptions) {
    const { device, communicator, size } = options;
    const { bytes, exactMax } = wireFormats[size.dtype];
    const { worldSize } = communicator;
    this.#options = options;
    this.#shape = shapeOf(size, communicator);
    this.bytes = this.#shape.bytes;
    this.#elementBytes = bytes;
    this.#answerElements = this.#shape.answer.reduce((sum, { count }) => sum + count, 0);
    // One less, so that all bits set is no sum of bytes.
    this.#values = exactValues({ exactMax: exactMax - 1, worldSize });
    const module = device.module(exactValuesKernel(elementTypes[size.dtype].kind));
    this.#kernels = { fill: module.kernel("fill_exact"), verify: module.kernel("verify_exact") };
    const elements = [this.#shape.input.elements, this.#answerElements];
    const sizes = [...elements.map((count) => count * bytes), foundBytes];
    [this.#send, this.#receive, this.#found] = allocateAll(device, sizes, size.op);
  }

  async run(): Promise<{ readonly timeUs: number }> {
    const { device, communicator, size } = this.#options;
    const { op, root = 0, dtype } = size;
    using begun = device.createEvent();
    using ended = device.createEvent();
    const { stream } = device;
    stream.uses(this.#send, this.#receive);
    stream.record(begun);
    await enqueueCollective(communicator, {
      op,
      root,
      shape: this.#shape,
      send: this.#send.address,
      receive: this.#receive.address,
      stream: stream.handle,
      type: elementTypes[dtype].code,
      elementBytes: this.#elementBytes,
    });
    stream.record(ended);
    await communicator.settled(op, ended);
    return { timeUs: ended.elapsedMsSince(begun) * 1e3 };
  }

  async refill(): Promise<void> {
    const { device, communicator } = this.#options;
    const { elements, start } = this.#shape.input;
    const { stream } = device;
    const { valueMax, every } = this.#values;
    if (elements > 0) {
      stream.launch(this.#kernels.fill, {
        ...gridOf(elements),
        args: [
          { ptr: this.#send },
          { u64: elements },
          { u32: valueMax },
          { u32: every },
          { u32: communicator.rank },
          { u64: start },
        ],
      });
    }
    // All bits set is a number that no answer has.
    stream.fill(wholeOf(this.#receive), 0xff, this.#receive.bytes);
    await stream.settled();
  }

  async verify(): Promise<{ wrong: number; elements: number; first?: string }> {
    const { stream } = this.#options.device;
    const found = Buffer.alloc(foundBytes);
    found.writeBigUInt64LE(2n ** 64n - 1n, 8);
    stream.upload({ buffer: this.#found }, found);
    for (const block of this.#shape.answer) this.#compare(block);
    await stream.settled();
    stream.download({ buffer: this.#found }, found);
    const wrong = Number(found.readBigUInt64LE(0));
    const elements = this.#answerElements;
    if (wrong === 0) return { wrong, elements };
    return { wrong, elements, first: this.#describe(Number(found.readBigUInt64LE(8))) };
  }

  close(): void {
    for (const buffer of [this.#send, this.#receive, this.#found]) buffer.free();
  }

  #compare({ at, count, start, source }: Block): void {
    const { device, communicator } = this.#options;
    const { valueMax, every } = this.#values;
    const [firstRank, ranks] = source === "sum" ? [0, communicator.worldSize] : [source, 1];
    device.stream.launch(this.#kernels.verify, {
      ...gridOf(count),
      args: [
        { ptr: this.#receive },
        { u64: at },
        { u64: count },
        { u32: valueMax },
        { u32: every },
        { u32: firstRank },
        { u32: ranks },
        { u64: start },
        { ptr: this.#found },
      ],
    });
  }

  /** What is wrong with one element. */
  #describe(index: number): string {
    const { device, size } = this.#options;
    // A copy of its own begins where every element type may.
    const bytes = new Uint8Array(this.#elementBytes);
    const offsetBytes = index * this.#elementBytes;
    device.stream.download({ buffer: this.#receive, offsetBytes }, bytes);
    const found = valueOf(size.dtype, elementsOf(bytes, size.dtype)[0] ?? Number.NaN);
    return `element ${index} is ${found} instead of ${this.#expectedAt(index)}`;
  }

  #expectedAt(index: number): number {
    const { worldSize } = this.#options.communicator;
    const block = this.#shape.answer.find(({ at, count }) => index >= at && index < at + count);
    assert(block !== undefined, "what was compared is in a block");
    const place = block.start + index - block.at;
    if (block.source !== "sum") return valueAt(this.#values, block.source, place);
    let sum = 0;
    for (let rank = 0; rank < worldSize; rank++) sum += valueAt(this.#values, rank, place);
    return sum;
  }
}

/** All buffers or none: what was taken before one could not be had is given back. */
function allocateAll(
  device: CudaDevice,
  sizes: readonly number[],
  op: string,
): [DeviceBuffer, DeviceBuffer, DeviceBuffer] {
  const taken: DeviceBuffer[] = [];
  const purpose = `a buffer of ${op}`;
  try {
    for (const bytes of sizes) {
      taken.push(device.memory.allocate(Math.max(bytes, bufferBytesMin), { purpose }));
    }
  } catch (error) {
    for (const buffer of taken) buffer.free();
    throw error;
  }
  const [send, receive, found] = taken;
  assert(
    send !== undefined && receive !== undefined && found !== undefined,
    "three were asked for",
  );
  return [send, receive, found];
}

function wholeOf(buffer: DeviceBuffer): DevicePlace {
  return { buffer };
}

function gridOf(count: number): { readonly grid: number; readonly block: number } {
  return { grid: Math.min(blocksMax, Math.max(1, Math.ceil(count / threads))), block: threads };
}
