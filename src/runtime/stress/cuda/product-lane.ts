import type { CudaDevice, CudaStream } from "../../cuda/device/device.ts";
import {
  createProductCheck,
  type ProductCheck,
  type ProductCheckResult,
} from "../../cuda/ops/checksum.ts";
import { matmul } from "../../cuda/ops/matmul.ts";
import { flipBit } from "../../cuda/ops/patterns.ts";
import { CudaTensor, randomOnCuda } from "../../cuda/tensor/index.ts";
import type { Corruption, Mismatch } from "../engine.ts";
import { type CudaFormat, formatSpec } from "./formats.ts";

/**
 * When a product is checked: beside the next one, on what that leaves free of the GPU, or after it,
 * so that the next has to wait.
 */
export type CheckPlace = "beside" | "after";

export interface ProductLaneOptions {
  readonly device: CudaDevice;
  readonly format: CudaFormat;
  /** Rows and columns. @default what suits the format */
  readonly side?: number;
  readonly verify: boolean;
  /** @default "beside" */
  readonly check?: CheckPlace;
  readonly corrupt?: Corruption;
}

/** Products of two fixed matrices in one format, each checked while the next is made. */
export interface ProductLane extends Disposable {
  readonly side: number;
  /** Of one product. */
  readonly flops: number;
  /** Puts a product and its check on the device's streams. */
  put(iteration: number): void;
  /** Waits for all checks and says what they found; undefined when nothing is verified. */
  found(): ProductCheckResult | undefined;
}

/** One is made, one is checked, and one waits until the GPU has room for its check. */
const slots = 3;

/** @throws E_CUDA, E_SHAPE */
export function createProductLane(options: ProductLaneOptions): ProductLane {
  const { device, format, verify, corrupt, check: place = "beside" } = options;
  const { dtype, outDtype, tf32, transposeB, side: usual } = formatSpec(format);
  const side = options.side ?? usual;
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const release = () => {
    for (const one of held.splice(0).toReversed()) one[Symbol.dispose]();
  };
  try {
    const shape = [side, side];
    const factor = (stream: string) =>
      keep(
        randomOnCuda(shape, { device, dtype, spec: { kind: "uniform", seed: "stress", stream } }),
      );
    const [a, b] = [factor("a"), factor("b")];
    const out = () => keep(CudaTensor.allocate(device, { dtype: outDtype, shape }));
    const outs = Array.from({ length: slots }, out);
    const multiply = (into: CudaTensor, tune = false) =>
      matmul(a, b, { tf32, transposeB, outDtype, out: into, tune });
    const check = verify
      ? keep(createProductCheck({ a, b, dtype: outDtype, transposeB }))
      : undefined;
    const checking = check && keep(createChecking({ device, check, place }));
    // The first product chooses the algorithm and teaches the check what all others must be.
    for (const [slot, into] of outs.entries()) {
      multiply(into, slot === 0);
      checking?.after(slot, into);
    }
    device.synchronize();
    return {
      side,
      flops: 2 * side ** 3,
      put: (iteration) => {
        const slot = iteration % outs.length;
        const into = outs[slot] as CudaTensor;
        checking?.before(slot);
        multiply(into);
        if (corrupt?.iteration === iteration) {
          flipBit(device, { buffer: into.buffer, bit: corrupt.bit % (8 * into.bytes) });
        }
        checking?.after(slot, into);
      },
      found: () => check?.result(),
      [Symbol.dispose]: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Products that are checked before the first that counts. */
const learningChecks = slots;

/** The first wrong product that a check has found. */
export function mismatchOf(found: ProductCheckResult | undefined): Mismatch | undefined {
  if (found?.first === undefined) return undefined;
  const rows = found.wrongRows === 1 ? "1 row" : `${found.wrongRows} rows`;
  return {
    iteration: Math.max(0, found.first.check - learningChecks),
    place: `row ${found.first.row}`,
    detail: `its checksum is not that of the product, ${rows} so far`,
  };
}

interface Checking extends Disposable {
  /** The memory of this slot may be written again. */
  before(slot: number): void;
  /** The product in this slot is to be checked. */
  after(slot: number, product: CudaTensor): void;
}

/** Keeps products and their checks in step: on one stream, or on two with events between them. */
function createChecking(o: {
  readonly device: CudaDevice;
  readonly check: ProductCheck;
  readonly place: CheckPlace;
}): Checking {
  const { device, check } = o;
  if (o.place === "after") {
    return {
      before: () => undefined,
      after: (_slot, product) => check.check(product),
      [Symbol.dispose]: () => undefined,
    };
  }
  // Of low priority: as soon as a product is made the next one takes the whole GPU, and the check
  // gets the multiprocessors on which that runs out of tiles first.
  const stream: CudaStream = device.createStream({ priority: "low" });
  const events = () => Array.from({ length: slots }, () => device.createEvent());
  const [made, checked] = [events(), events()];
  return {
    before: (slot) => {
      const event = checked[slot];
      if (event !== undefined) device.stream.waitFor(event);
    },
    after: (slot, product) => {
      const [isMade, isChecked] = [made[slot], checked[slot]];
      if (isMade === undefined || isChecked === undefined) return;
      device.stream.record(isMade);
      stream.waitFor(isMade);
      check.check(product, { stream });
      stream.record(isChecked);
    },
    [Symbol.dispose]: () => {
      stream.close();
      for (const event of [...made, ...checked]) event.close();
    },
  };
}
