import assert from "node:assert/strict";
import type { CudaDevice, CudaStream, DeviceBuffer, DevicePlace } from "../device/device.ts";
import type { CublasLtFunctions } from "../ffi/cublas-lt.ts";
import { askAlgorithms, type LtAlgorithm } from "./lt-algorithms.ts";
import { checkLt, createdHandle, i32Bytes, ltOf } from "./lt-calls.ts";
import { createDescriptors, type LtDescriptors } from "./lt-descriptors.ts";
import { type ComputeKind, computeKindOf, type ProductSpec } from "./product.ts";

/** A product that is worked out: its descriptors and the algorithm chosen for it. */
export interface ProductPlan {
  readonly spec: ProductSpec;
  readonly algorithm: LtAlgorithm;
}

/** What a planned product works on. Places start at multiples of 16 bytes. */
export interface ProductOperands {
  readonly a: DevicePlace;
  readonly b: DevicePlace;
  readonly out: DevicePlace;
  /** @default 1 */
  readonly alpha?: number;
  /** Adds to what `out` holds. @default false */
  readonly accumulate?: boolean;
  readonly stream: CudaStream;
}

interface Plan extends ProductPlan {
  algorithm: LtAlgorithm;
  readonly candidates: readonly LtAlgorithm[];
  readonly descriptors: LtDescriptors;
  readonly kind: ComputeKind;
  readonly what: string;
  tuned: boolean;
}

// What the library's documentation advises for Hopper; Blackwell takes no more.
const workspaceBytes = 32 * 1024 * 1024;
const plansMax = 512;
const candidatesMax = 8;
const tuneRuns = 5;

/** cuBLASLt on one GPU: its handle, a workspace for each stream, and the plans made so far. */
export class BlasEngine {
  readonly #device: CudaDevice;
  readonly #lt: CublasLtFunctions;
  readonly #handle: bigint;
  readonly #plans = new Map<string, Plan>();
  readonly #workspaces = new Map<bigint, DeviceBuffer>();

  constructor(device: CudaDevice) {
    this.#device = device;
    this.#lt = ltOf(device);
    this.#handle = createdHandle((into) =>
      checkLt("cublasLtCreate", this.#lt.cublasLtCreate(into), device.id),
    );
    device.onClose(() => this.#close());
  }

  /** The library's version: 130000 is 13.0.0. */
  get version(): number {
    return Number(this.#lt.cublasLtGetVersion());
  }

  /** A plan for a product, made once and kept. @throws E_CUDA, E_DTYPE */
  plan(spec: ProductSpec): ProductPlan {
    const key = JSON.stringify(spec);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    this.#device.makeCurrent();
    const what = describeProduct(spec);
    const kind = computeKindOf(spec);
    const descriptors = createDescriptors(this.#lt, spec, what);
    try {
      const candidates = askAlgorithms(this.#lt, {
        handle: this.#handle,
        descriptors,
        workspaceBytes,
        count: candidatesMax,
        what,
      });
      const [algorithm] = candidates;
      assert(algorithm !== undefined, "there is an algorithm");
      const plan = { spec, kind, descriptors, candidates, algorithm, what, tuned: false };
      this.#keep(key, plan);
      return plan;
    } catch (error) {
      descriptors.destroy();
      throw error;
    }
  }

  /**
   * Chooses the fastest of the advised algorithms by running each on these operands, once for a
   * plan; `out` is overwritten. One that the library then refuses is passed over. Waits for the
   * stream.
   */
  tune(planned: ProductPlan, operands: ProductOperands): void {
    const plan = planned as Plan;
    if (plan.tuned) return;
    plan.tuned = true;
    const { stream } = operands;
    const [start, end] = [this.#device.createEvent(), this.#device.createEvent()];
    try {
      let bestMs = Number.POSITIVE_INFINITY;
      for (const algorithm of plan.candidates) {
        const run = () => this.#multiply(plan, algorithm, { ...operands, accumulate: false });
        if (run() !== 0) continue;
        stream.record(start);
        for (let at = 0; at < tuneRuns; at++) checkLt("cublasLtMatmul", run(), plan.what);
        stream.record(end);
        stream.synchronize();
        const elapsedMs = end.elapsedMsSince(start);
        if (elapsedMs >= bestMs) continue;
        bestMs = elapsedMs;
        plan.algorithm = algorithm;
      }
    } finally {
      start.close();
      end.close();
    }
  }

  /** Puts a planned product on the stream. @throws E_CUDA */
  run(planned: ProductPlan, operands: ProductOperands): void {
    const plan = planned as Plan;
    checkLt("cublasLtMatmul", this.#multiply(plan, plan.algorithm, operands), plan.what);
  }

  /** The library's status. */
  #multiply(plan: Plan, algorithm: LtAlgorithm, operands: ProductOperands): number {
    const { stream, a, b, out, alpha = 1, accumulate = false } = operands;
    const { kind, descriptors } = plan;
    this.#device.makeCurrent();
    const workspace = this.#workspaceOf(stream);
    const at = addressOf(out);
    const status = this.#lt.cublasLtMatmul(
      this.#handle,
      descriptors.product,
      factorBytes(kind, alpha),
      addressOf(b),
      descriptors.first,
      addressOf(a),
      descriptors.second,
      factorBytes(kind, accumulate ? 1 : 0),
      at,
      descriptors.out,
      at,
      descriptors.out,
      algorithm.bytes,
      workspace.address,
      workspaceBytes,
      stream.handle,
    );
    stream.uses(a.buffer, b.buffer, out.buffer, workspace);
    return status;
  }

  /** Products on different streams run at once, so each stream has its own. */
  #workspaceOf(stream: CudaStream): DeviceBuffer {
    const known = this.#workspaces.get(stream.handle);
    if (known !== undefined) return known;
    const made = this.#device.memory.allocate(workspaceBytes, { purpose: "products' workspace" });
    this.#workspaces.set(stream.handle, made);
    return made;
  }

  #keep(key: string, plan: Plan): void {
    const [oldest] = this.#plans;
    if (this.#plans.size >= plansMax && oldest !== undefined) {
      this.#plans.delete(oldest[0]);
      oldest[1].descriptors.destroy();
    }
    this.#plans.set(key, plan);
  }

  #close(): void {
    for (const { descriptors } of this.#plans.values()) descriptors.destroy();
    this.#plans.clear();
    for (const workspace of this.#workspaces.values()) workspace.free();
    this.#workspaces.clear();
    this.#lt.cublasLtDestroy(this.#handle);
  }
}

const engines = new WeakMap<CudaDevice, BlasEngine>();

/** The engine of a device, made at its first use. @throws E_CUDA_UNAVAILABLE, E_CUDA */
export function blasOf(device: CudaDevice): BlasEngine {
  const engine = engines.get(device) ?? new BlasEngine(device);
  engines.set(device, engine);
  return engine;
}

function addressOf({ buffer, offsetBytes = 0 }: DevicePlace): bigint {
  return buffer.address + BigInt(offsetBytes);
}

function factorBytes({ scale }: ComputeKind, value: number): Uint8Array {
  if (scale === "i32") return i32Bytes(value);
  return new Uint8Array((scale === "f64" ? Float64Array.of(value) : Float32Array.of(value)).buffer);
}

/** `bf16 [8192, 8192] by [8192, 8192] to bf16`, for errors. */
function describeProduct(spec: ProductSpec): string {
  const { m, n, k, batches, aDtype, bDtype, outDtype } = spec;
  const many = batches === 1 ? "" : `${batches} times `;
  return `${many}${aDtype} [${m}, ${k}] by ${bDtype} [${k}, ${n}] to ${outDtype}`;
}
