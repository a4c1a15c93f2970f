import assert from "node:assert/strict";
import type { Ffi } from "../ffi/ffi.ts";
import type { DeviceBuffer, DevicePlace, KernelArg } from "./device.ts";

/** How many arguments a kernel may have. */
const argumentsMax = 64;
const slotBytes = 8;
const pointersAt = argumentsMax * slotBytes;

/** Where a buffer is, for the launch that comes next. */
type AddressOf = (buffer: DeviceBuffer) => bigint;

/**
 * Arguments in the form cuLaunchKernel takes them: one slot of eight bytes for each, and a list of
 * the slots' addresses. The list never changes and the driver copies the values before it returns,
 * so one block serves every launch of a thread.
 */
export class ArgumentBlock {
  /** Of the list. */
  readonly address: bigint;
  readonly #slots: DataView;

  constructor(ffi: Ffi) {
    const base = ffi.alloc("uint8_t", pointersAt + argumentsMax * slotBytes);
    this.#slots = new DataView(ffi.view(base, pointersAt + argumentsMax * slotBytes));
    for (let index = 0; index < argumentsMax; index++) {
      const slot = base + BigInt(index * slotBytes);
      this.#slots.setBigUint64(pointersAt + index * slotBytes, slot, true);
    }
    this.address = base + BigInt(pointersAt);
  }

  /** Puts the arguments of the next launch in place. */
  set(args: readonly KernelArg[], addressOf: AddressOf): void {
    if (args.length > argumentsMax) {
      assert.fail(`a kernel takes at most ${argumentsMax} arguments`);
    }
    for (let index = 0; index < args.length; index++) {
      const arg = args[index];
      if (arg !== undefined) this.#setSlot(index * slotBytes, arg, addressOf);
    }
  }

  #setSlot(at: number, arg: KernelArg, addressOf: AddressOf): void {
    const slots = this.#slots;
    if ("ptr" in arg) slots.setBigUint64(at, pointerTo(arg.ptr, addressOf), true);
    else if ("i32" in arg) slots.setInt32(at, whole(arg.i32, "i32", -(2 ** 31), 2 ** 31 - 1), true);
    else if ("u32" in arg) slots.setUint32(at, whole(arg.u32, "u32", 0, 2 ** 32 - 1), true);
    else if ("i64" in arg) slots.setBigInt64(at, BigInt(arg.i64), true);
    else if ("u64" in arg) slots.setBigUint64(at, BigInt(arg.u64), true);
    else if ("f32" in arg) slots.setFloat32(at, arg.f32, true);
    else slots.setFloat64(at, arg.f64, true);
  }
}

/** A number that fits its C type: a silent wrap would become a wrong size on the GPU. */
function whole(value: number, type: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return assert.fail(`${value} is not an ${type} that a kernel can take`);
}

function pointerTo(pointer: DeviceBuffer | DevicePlace | bigint, addressOf: AddressOf): bigint {
  if (typeof pointer === "bigint") return pointer;
  if (!("buffer" in pointer)) return addressOf(pointer);
  const { buffer, offsetBytes = 0 } = pointer;
  if (offsetBytes < 0 || offsetBytes > buffer.bytes) {
    assert.fail("the place lies outside of its buffer");
  }
  const address = addressOf(buffer);
  return offsetBytes === 0 ? address : address + BigInt(offsetBytes);
}
