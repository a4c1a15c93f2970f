import { describe, expect, it, onTestFinished } from "vitest";
import { createRealClock } from "../../../../src/platform/time/real-clock.ts";
import type { CudaDevice } from "../../../../src/runtime/cuda/index.ts";
import {
  createCudaMemory,
  createCudaMixed,
  createCudaProducts,
} from "../../../../src/runtime/stress/cuda/index.ts";
import {
  type Mismatch,
  runStress,
  type StressEngine,
} from "../../../../src/runtime/stress/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../../cuda/device/on-fake.ts";

const clock = createRealClock();
const { signal } = new AbortController();

const engines = {
  products: (device: CudaDevice, over = {}) =>
    createCudaProducts({ device, clock, format: "bf16", side: 32, ...over }),
  "products one after the other": (device: CudaDevice, over = {}) => {
    const check = "after";
    return createCudaProducts({ device, clock, format: "f32", side: 16, check, ...over });
  },
  memory: async (device: CudaDevice, over = {}) =>
    createCudaMemory({ device, clock, sizeBytes: 8 * 2 ** 20, side: 16, ...over }),
  mixed: async (device: CudaDevice, over = {}) =>
    createCudaMixed({ device, clock, side: 32, formats: ["f32"], ...over }),
} satisfies Record<string, (device: CudaDevice, over?: object) => Promise<StressEngine>>;
type Kind = keyof typeof engines;

async function play(kind: Kind, over: object = {}, iterationsMax = 20) {
  const device = openFake();
  const engine = await engines[kind](device, over);
  onTestFinished(async () => {
    await engine.close();
    const { inUseBytes, buffers } = device.memory.accounts();
    // What products need as a workspace stays with the device.
    expect(inUseBytes).toBeLessThanOrEqual(64 * 2 ** 20);
    expect(buffers).toBeLessThanOrEqual(2);
  });
  const run = { engine, clock, signal, durationMs: 60_000, sliceMs: 5, iterationsMax };
  return { engine, result: await runStress(run) };
}

const placeOf: Readonly<Record<Kind, RegExp>> = {
  products: /^row 0$/,
  "products one after the other": /^row 0$/,
  memory: /^address 0x[0-9a-f]{12}$/,
  mixed: /^the first layer$/,
};

describe.skipIf(noFake !== "").each(Object.keys(engines) as Kind[])(
  `the engine on a fake GPU for %s${noFake}`,
  (kind) => {
    it("finds nothing wrong on a sound GPU, and gives all memory back", async () => {
      const { engine, result } = await play(kind);
      expect(result).toMatchObject({ wrong: 0, failure: null });
      expect(result.iterations).toBeGreaterThanOrEqual(20);
      expect(result.stability?.mean).toBeGreaterThan(0);
      expect(engine).toMatchObject({ device: "cuda:0", deviceName: "Fake H200", verifies: true });
    });

    it("names the iteration whose result was broken, and no other", async () => {
      const { result } = await play(kind, { corrupt: { iteration: 6, bit: 5 } });
      expect(result.wrong).toBe(1);
      expect(result.mismatches.map(({ iteration }) => iteration)).toEqual([6]);
      expect(result.mismatches[0]?.place).toMatch(placeOf[kind]);
    });

    it("finds nothing when nobody verifies", async () => {
      const over = { verify: false, corrupt: { iteration: 6, bit: 5 } };
      const { engine, result } = await play(kind, over);
      expect(result.wrong).toBe(0);
      expect(engine.verifies).toBe(false);
    });

    it("says how the GPU failed in the middle of the run", async () => {
      withFakeEnv({ FAKE_CUDA_FAIL: "cublasLtMatmul:150+:13" });
      const { result } = await play(kind, {}, 1000);
      expect(result.failure).toContain("cublasLtMatmul failed: CUBLAS_STATUS_EXECUTION_FAILED");
    });
  },
);

describe.skipIf(noFake !== "")(`products on a fake GPU${noFake}`, () => {
  it("that the hardware gets wrong are found and counted, the first with its row", async () => {
    // The flips that tuning and learning see come before the first product that counts.
    withFakeEnv({ FAKE_CUDA_FLIP: "0:gemm:45:4101,0:gemm:46:9000" });
    const { result } = await play("products", {}, 60);
    expect(result.wrong).toBe(2);
    const [first] = result.mismatches as [Mismatch];
    expect(first.place).toBe(`row ${Math.floor(4101 / (16 * 32))}`);
    expect(first.iteration).toBeGreaterThan(0);
  });

  it.each(["fp8", "tf32", "f64"] as const)("are right in %s", async (format) => {
    const { result } = await play("products", { format }, 5);
    expect(result.wrong).toBe(0);
  });

  it("do not count a pause between two runs as time of a product", async () => {
    const device = openFake();
    const engine = await engines.products(device);
    onTestFinished(() => engine.close());
    const run = { engine, clock, signal, durationMs: 60_000, sliceMs: 5, iterationsMax: 10 };
    await runStress(run);
    await new Promise<void>((resolve) => void clock.setTimer(300, resolve));
    const { points, elapsedMs } = await runStress(run);
    const busyMs = points.reduce((sum, point) => sum + point.busyMs, 0);
    expect(busyMs).toBeLessThanOrEqual(elapsedMs);
  });
});
