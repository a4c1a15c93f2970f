import { describe, expect, it } from "vitest";
import { openCudaDevice } from "../../../../src/runtime/cuda/index.ts";
import type { ExecuteOptions } from "../../../../src/validation/checks/index.ts";
import { buildFakeCuda, reasonOf, withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { host } from "../support.ts";
import { inProcessRanks, runDlUnit } from "./support.ts";

const fake = await buildFakeCuda();
const env = "reason" in fake ? {} : fake.env;

/** A run on fake GPUs of this machine, small and in this process. */
async function runOnGpus(
  count: number,
  options: object,
  variables: Record<string, string> = {},
  change: Partial<ExecuteOptions> = {},
) {
  withFakeEnv({ ...env, FAKE_CUDA_DEVICES: String(count), ...variables });
  const gpus = Array.from({ length: count }, () => "Fake H200");
  const ranks = inProcessRanks(new Map(), process.env);
  const given = { engine: "cuda", scale: 0.01, iterations: 2, ...options };
  return await runDlUnit(given, { ranks, host: { ...host, gpus }, env: process.env, ...change });
}

const corrupt = (name: string, kind: string) => ({ gpu: 1, case: name, kind });

describe.skipIf("reason" in fake)(`dl-unit on fake GPUs${reasonOf(fake)}`, () => {
  it("runs every case, finds nothing wrong, and leaves nothing on the GPU", async () => {
    const cases = [
      ...["memory", "transfer", "gemm-bf16", "gemm-e5m2", "gemm-i8", "gemm-skinny"],
      ...["gemm-batched-bf16", "linear", "norm-rms-f32", "embedding", "reductions", "optimizer"],
    ];
    withFakeEnv(env);
    // Held open here, so that its accounts are those of the run too.
    using device = openCudaDevice("cuda:0", { env: process.env });
    const { result } = await runOnGpus(1, { cases: [...cases, "collectives", "overlap"] });
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    const alone = expect.stringContaining("the links between GPUs were not tested");
    expect(result.facts["notCovered"]).toEqual({ collectives: alone, overlap: alone });
    const figures = Object.keys(result.figures);
    for (const name of ["gemm_tflops", "linear_ms", "hbm_gbps", "h2d_gbps", "optimizer_ms"]) {
      expect(figures).toContain(`scaled_${name}.gpu0`);
    }
    expect(result.facts["softwareKey"]).toMatch(/^cuda Fake H200, sm_90, 132 SMs, driver /);
    expect(result.facts["telemetry"]).toMatchObject({ devices: { "gpu 0": {} } });
    expect(device.memory.accounts().peakBytes).toBeGreaterThan(2 ** 20);
    // What is left is cuBLASLt's own working memory, which goes with the device.
    expect(device.memory.accounts()).toMatchObject({ buffers: 1, pinnedBytes: 0 });
  });

  it("holds no more of the GPU for a hundred optimizer steps than for twenty", async () => {
    withFakeEnv(env);
    const peakOf = async (profile: "quick" | "standard", scale: number) => {
      using device = openCudaDevice("cuda:0", { env: process.env });
      const { result } = await runOnGpus(1, { cases: ["optimizer"], scale }, {}, { profile });
      expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
      return device.memory.accounts().peakBytes;
    };
    // 65,536 parameters in f32; what is given, what is kept of AdamW, and one step of the other.
    const vectorBytes = 4 * 65_536;
    const peaks = [
      await peakOf("quick", 1 / 32),
      await peakOf("standard", 1 / (32 * Math.sqrt(8))),
    ];
    for (const bytes of peaks) expect(bytes).toBeLessThanOrEqual(9.5 * vectorBytes);
    expect(Math.min(...peaks)).toBeGreaterThan(6 * vectorBytes);
  });

  it("trains the same transformer twice, and on both GPUs, to the same bits", async () => {
    const { result } = await runOnGpus(2, { cases: ["transformer"] });
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(result.figures["scaled_step_ms"]?.samples.length).toBeGreaterThan(0);
  });

  it("names GPU and board of one flipped bit in a device buffer", async () => {
    const broken = corrupt("gemm-bf16", "flip-bit");
    const { result } = await runOnGpus(3, { cases: ["gemm-bf16"], corrupt: broken });
    expect(result.hardFacts[0]).toMatch(
      /^gpu 1 \(GPU-[-\da-f]+\): gemm-bf16 80x80x80: 1 of 6400 elements .* \(broken on purpose\)$/,
    );
    expect(result.hardFacts[1]).toMatch(
      /exact: gpu 1 \(GPU-.*has other bits than the other 2 of 3/,
    );
  });

  it("names the GPU of an altered kernel, ours or a product's", async () => {
    for (const name of ["norm-rms-f32", "gemm-f32", "gemm-batched-f16"]) {
      const broken = corrupt(name, "altered-kernel");
      const { result } = await runOnGpus(2, { cases: [name], corrupt: broken });
      expect(result.outcome).toBe("completed");
      expect(result.hardFacts[0]).toContain(`gpu 1 (GPU-`);
      expect(result.hardFacts.some((fact) => fact.startsWith("gpu 0 "))).toBe(false);
      expect(result.hardFacts.at(-1)).toContain("and are wrong by themselves");
    }
  });

  it("finds a bit that the GPU itself gets wrong, in the product and in what is stored", async () => {
    const wrongProduct = { FAKE_CUDA_FLIP: "0:gemm:1:14" };
    const product = await runOnGpus(1, { cases: ["gemm-f32"] }, wrongProduct);
    expect(product.result.hardFacts[0]).toContain("1 of 2304 elements of an integer product");
    const wrongMemory = { FAKE_CUDA_FLIP: "0:pattern_fill:2:9" };
    const memory = await runOnGpus(1, { cases: ["memory"] }, wrongMemory);
    expect(memory.result.hardFacts[0]).toContain("1 words of memory do not hold the pattern");
  });

  it("says that an older GPU does not multiply in fp8, and goes on", async () => {
    const older = { FAKE_CUDA_CAPABILITY: "80" };
    const { result } = await runOnGpus(1, { cases: ["gemm-e4m3", "gemm-f32"] }, older);
    expect(result.outcome).toBe("completed");
    expect(result.facts["notCovered"]).toEqual({
      "gemm-e4m3": "Fake H200 (sm_80) does not multiply in e4m3",
    });
  });

  it("is an error, not a pass, when the GPU refuses a call", async () => {
    const failing = { FAKE_CUDA_FAIL: "cuLaunchKernel:3+:719" };
    const { result } = await runOnGpus(1, { cases: ["norm-rms-f32"] }, failing);
    expect(result.outcome).toBe("error");
    expect(result.error).toContain("device 0: ");
  });
});
