import { describe, expect, it } from "vitest";
import { caseTable } from "../../../../src/validation/checks/dl-unit/cases/index.ts";
import {
  chooseEngine,
  countDevices,
} from "../../../../src/validation/checks/dl-unit/choose-engine.ts";
import { createDlUnit } from "../../../../src/validation/checks/dl-unit/index.ts";
import { dlUnitOptions } from "../../../../src/validation/checks/dl-unit/options.ts";
import { skuFloors } from "../../../../src/validation/classify/floors.ts";
import { classifyRuns } from "../../../../src/validation/classify/index.ts";
import { readDigests } from "../../../../src/validation/goldens/index.ts";
import { host } from "../support.ts";
import { inProcessRanks, runDlUnit } from "./support.ts";

const small = { scale: 0.1, iterations: 2 };
const corrupt = (kind: string, change: object = {}) => ({
  gpu: 1,
  case: "gemm-f32",
  kind,
  ...change,
});

describe("dl-unit on the host's processors", () => {
  it("finds nothing wrong, has figures, and says what it did not cover", async () => {
    const { result } = await runDlUnit(small);
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    for (const name of [
      ...["gemm_gflops", "gemm_batched_bf16_gflops", "step_ms", "attention_ms", "norm_gbps"],
      ...["memory_gbps", "tcp_busbw", "overlap_ms"],
    ]) {
      const samples = result.figures[`scaled_${name}`]?.samples ?? [];
      expect(samples.length, name).toBeGreaterThan(0);
      expect(samples.every((sample) => sample > 0)).toBe(true);
    }
    expect(Object.keys(result.facts["notCovered"] as object)).toEqual([
      "transfer",
      "gemm-tf32",
      "gemm-i8",
    ]);
    expect(result.facts).toMatchObject({ engine: "cpu", problems: 0, rounds: 0 });
    expect(result.cohort).toContain("2 devices, quick");
  });

  it("has no figure at another scale that a floor of full size would judge", async () => {
    const { result } = await runDlUnit({ ...small, cases: ["gemm-f32"] });
    const floors = Object.keys(result.figures).filter((name) =>
      skuFloors.some(({ check, figure }) => check === "dl-unit" && figure === name),
    );
    expect(floors).toEqual([]);
    expect(skuFloors.some(({ figure }) => figure === "gemm_gflops")).toBe(true);
  });

  it("hands in the digests of every case, one for both devices since they agree", async () => {
    const { result } = await runDlUnit({ ...small, cases: ["gemm-bf16", "transformer"] });
    const found = readDigests(result.facts);
    expect(found?.softwareKey).toBe("cpu arithmetic 1");
    const names = Object.keys(found?.digests ?? {});
    expect(names.map((name) => name.split(" ").at(-1))).toEqual([
      "exact",
      "random",
      "losses",
      "weights",
    ]);
    for (const byDevice of Object.values(found?.digests ?? {})) {
      expect(Object.keys(byDevice)).toEqual(["every device"]);
    }
  });

  it("goes on with other data until its time is up, and votes on every round", async () => {
    const { result } = await runDlUnit({ ...small, cases: ["gemm-bf16"], durationMs: 50 });
    expect(result).toMatchObject({ outcome: "completed", hardFacts: [] });
    expect(result.facts["rounds"]).toBeGreaterThan(0);
  });
});

describe("what is broken on purpose", () => {
  const one = { ...small, cases: ["gemm-f32"] };

  it("one flipped bit is found by integer arithmetic, and the device is named", async () => {
    const { result } = await runDlUnit({ ...one, corrupt: corrupt("flip-bit", { bit: 30 }) });
    expect(result.outcome).toBe("completed");
    const [own = "", voted = ""] = result.hardFacts;
    expect(own).toContain("process 1: gemm-f32 32x32x32: 1 of 1024 elements");
    expect(own).toContain("[0, 0]:");
    expect(own).toContain("(broken on purpose)");
    expect(voted).toContain("the bits of process 1 differ from those of process 0");
    expect(result.facts["brokenOnPurpose"]).toMatchObject({ gpu: 1, case: "gemm-f32" });
    expect(readDigests(result.facts)).toBeUndefined();
    expect(result.facts["digests"]).toMatchObject({
      "gemm-f32 32x32x32 exact": {
        "process 0": expect.any(String),
        "process 1": expect.any(String),
      },
    });
  });

  it("a bit that flips in one repeat alone is found by the repeat", async () => {
    const once = corrupt("flip-bit", { bit: 3, repeat: 1 });
    const { result } = await runDlUnit({ ...one, corrupt: once });
    expect(result.hardFacts[0]).toContain(
      "process 1: gemm-f32 32x32x32: repeat 2 of 2 has other bits",
    );
  });

  it("an altered kernel is found and outvoted by the two others", async () => {
    for (const name of ["gemm-f32", "gemm-batched-f16", "norm-rms-f32", "activations"]) {
      const altered = corrupt("altered-kernel", { case: name });
      const options = { ...small, cases: [name], devices: 3, corrupt: altered };
      const { result } = await runDlUnit(options);
      const voted = result.hardFacts.filter((fact) => fact.includes("than the other 2 of 3"));
      expect(voted.length, name).toBeGreaterThan(0);
      expect(voted[0]).toContain("process 1");
      expect(result.hardFacts.some((fact) => fact.startsWith(`process 1: ${name}`))).toBe(true);
      expect(result.hardFacts.some((fact) => fact.startsWith("process 0"))).toBe(false);
    }
  });

  it("one bit of a weight in the second step of training changes what is trained", async () => {
    const flipped = corrupt("flip-bit", { case: "transformer", bit: 30 });
    const options = { ...small, cases: ["transformer"], devices: 3, corrupt: flipped };
    const { result } = await runDlUnit(options);
    expect(
      result.hardFacts.some((fact) => fact.includes("weights: process 1 has other bits")),
    ).toBe(true);
  });

  it("a bit of memory is found, with place and value; the first patterns that show it are told", async () => {
    const flipped = corrupt("flip-bit", { case: "memory", bit: 64 });
    const { result } = await runDlUnit({ ...small, cases: ["memory"], corrupt: flipped });
    const walked = result.hardFacts.filter((fact) => fact.startsWith("process 1: memory"));
    expect(walked.length).toBe(3);
    expect(walked[0]).toContain("word 2: 0x00000000 expected, 0x00000001 found");
  });

  it("a bit of a product beside an all-reduce is found, and a collective is none of ours to break", async () => {
    const flipped = corrupt("flip-bit", { case: "overlap", bit: 14 });
    const { result } = await runDlUnit({ ...small, cases: ["overlap"], corrupt: flipped });
    expect(result.hardFacts).toHaveLength(1);
    expect(result.hardFacts[0]).toMatch(/^process 1: overlap .*: 1 of 256 elements/);
    const options = { corrupt: corrupt("flip-bit", { case: "collectives" }) };
    expect(createDlUnit().options.safeParse(options).success).toBe(false);
  });

  it("is an error when nothing was found wrong: the check would be worth nothing", async () => {
    const elsewhere = corrupt("flip-bit", { gpu: 7 });
    const { result } = await runDlUnit({ ...one, corrupt: elsewhere });
    expect(result.outcome).toBe("error");
    expect(result.error).toContain("nothing was found wrong");
  });
});

describe("goldens of the processors", () => {
  it("are met on this machine: they do not depend on it", async () => {
    const cases = ["gemm-bf16", "norm-rms-f32", "optimizer"];
    const { result } = await runDlUnit({ cases, devices: 1, iterations: 1 });
    expect(result).toMatchObject({ hardFacts: [], facts: { goldens: "known" } });
  });
});

describe("goldens given as options", () => {
  it("must be met, and the sentence names both digests", async () => {
    const first = await runDlUnit({ ...small, cases: ["gemm-bf16"] });
    const digests = readDigests(first.result.facts)?.digests ?? {};
    const right = Object.fromEntries(
      Object.entries(digests).map(([name, byDevice]) => [name, byDevice["every device"] ?? ""]),
    );
    const goldens = { "cpu arithmetic 1": right };
    const again = await runDlUnit({ ...small, cases: ["gemm-bf16"], goldens });
    expect(again.result).toMatchObject({ hardFacts: [], facts: { goldens: "known" } });
    const [name = ""] = Object.keys(right);
    const other = { "cpu arithmetic 1": { ...right, [name]: "sha256:0" } };
    const { result } = await runDlUnit({ ...small, cases: ["gemm-bf16"], goldens: other });
    expect(result.hardFacts).toHaveLength(2);
    expect(result.hardFacts[0]).toContain(`${right[name]}, and the golden one sha256:0`);
  });
});

describe("a device that is lost", () => {
  it("is an error that names it, never a pass", async () => {
    const ranks = inProcessRanks(new Map([[1, "it was killed by SIGKILL"]]));
    const { result } = await runDlUnit({ ...small, cases: ["gemm-f32"] }, { ranks });
    expect(result.outcome).toBe("error");
    expect(result.error).toContain("device 1 was lost: it was killed by SIGKILL");
    const [verdict] = classifyRuns([
      {
        node: "n",
        check: "dl-unit",
        sku: "s",
        timestampMs: 0,
        completed: false,
        figures: new Map(),
      },
    ]);
    expect(verdict?.verdict).toBe("unknown");
  });

  it("names who was lost, not who was stopped because of it", async () => {
    const lost = [
      { rank: 0, ended: "lost", reason: "stopped because rank 1 was lost: it was silent" },
      { rank: 1, ended: "lost", reason: "it was silent for 3 minutes" },
    ] as const;
    const { result } = await runDlUnit(small, { ranks: () => Promise.resolve(lost) });
    expect(result.error).toContain("device 1 was lost: it was silent for 3 minutes");
  });

  it("keeps what was found wrong before, as a hard fact", async () => {
    const flipped = corrupt("flip-bit", { gpu: 0 });
    const ranks = inProcessRanks(new Map([[1, "it was silent"]]));
    const options = { ...small, cases: ["gemm-f32"], corrupt: flipped };
    const { result } = await runDlUnit(options, { ranks });
    expect(result.outcome).toBe("error");
    expect(result.hardFacts[0]).toContain("process 0: gemm-f32");
  });

  it("is a hard fact too when CUDA names the hardware, and an error alone when it does not", async () => {
    const failing = (message: string) => () =>
      Promise.resolve([{ rank: 0, ended: "failed", error: { message } } as const]);
    const ecc = "cuStreamSynchronize failed: CUDA_ERROR_ECC_UNCORRECTABLE (214).";
    const broken = await runDlUnit(small, { ranks: failing(ecc) });
    expect(broken.result).toMatchObject({ outcome: "error", hardFacts: [`device 0: ${ecc}`] });
    const full = await runDlUnit(small, { ranks: failing("cuMemAlloc_v2 failed: OUT_OF_MEMORY") });
    expect(full.result).toMatchObject({ outcome: "error", hardFacts: [] });
  });

  it("is noticed when it hands in something else than a report", async () => {
    const ranks = () => Promise.resolve([{ rank: 0, ended: "completed", value: 1 } as const]);
    const { result } = await runDlUnit(small, { ranks });
    expect(result).toMatchObject({ outcome: "error" });
    expect(result.error).toContain("something else than a report");
  });
});

describe("the table of cases", () => {
  it("has one name for each, and sizes by engine, profile and scale", () => {
    const names = caseTable.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const row of caseTable) {
      const request = {
        engine: "cuda",
        profile: "quick",
        scale: 1,
        iterations: undefined,
      } as const;
      const planned = row.plan(request);
      expect(planned.key.startsWith(row.name)).toBe(true);
      expect(row.plan({ ...request, scale: 0.1 }).name).toBe(row.name);
    }
  });

  it("computes bf16 products of 8192 on GPUs, and trains 50 steps", () => {
    const request = { engine: "cuda", profile: "quick", scale: 1, iterations: undefined } as const;
    const keys = caseTable.map((row) => row.plan(request).key);
    expect(keys).toContain("gemm-bf16 8192x8192x8192");
    expect(keys).toContain("gemm-batched-f16 128x(2048x128x2048)");
    expect(keys).toContain("collectives 1 MiB, 256 MiB");
    expect(keys).toContain("overlap 4x(8192x8192x8192) beside 1 GiB");
    expect(keys.find((key) => key.startsWith("transformer"))).toContain("50 steps");
  });
});

describe("engines", () => {
  const gpus = { count: 2, reason: "" };
  const none = { count: 0, reason: "libcuda is not there" };
  const parse = (options: object) => dlUnitOptions.parse(options);

  it("are GPUs where there are some, else the processors, unless one is asked for", () => {
    expect(chooseEngine(parse({}), gpus)).toBe("cuda");
    expect(chooseEngine(parse({}), none)).toBe("cpu");
    expect(chooseEngine(parse({ engine: "cpu" }), gpus)).toBe("cpu");
    expect(chooseEngine(parse({ engine: "torch" }), none)).toBe("torch");
    expect(countDevices(parse({}), gpus, "cuda")).toBe(2);
    expect(countDevices(parse({ devices: 1 }), gpus, "cuda")).toBe(1);
    expect(countDevices(parse({}), none, "cpu")).toBe(2);
  });

  it("GPUs are refused where there are none, or fewer than asked for", () => {
    expect(() => chooseEngine(parse({ engine: "cuda" }), none)).toThrow("libcuda is not there");
    expect(() => chooseEngine(parse({ devices: 8 }), gpus)).toThrow(
      "8 GPUs were asked for, and there are 2",
    );
  });

  it("a node whose GPUs went away is not taken for one without GPUs", async () => {
    const problem = "there are 8 GPUs, and CUDA cannot use them";
    expect(() => chooseEngine(parse({}), { ...none, problem })).toThrow(problem);
    const shown = { ...host, gpus: ["NVIDIA H200"] };
    const { result } = await runDlUnit({ engine: "auto" }, { host: shown, env: { PATH: "" } });
    expect(result).toMatchObject({ outcome: "error", figures: {} });
    expect(result.error).toContain("there are 1 GPUs, and CUDA cannot use them");
  });

  it("options are checked, and a machine needs memory", () => {
    const { options, requirements } = createDlUnit();
    expect(options.safeParse({ cases: ["gemm-f33"] }).success).toBe(false);
    expect(options.safeParse({ scale: 0 }).success).toBe(false);
    expect(options.safeParse({}).success).toBe(true);
    expect(requirements(host).met).toBe(true);
    expect(requirements({ ...host, memoryBytes: 1000 }).met).toBe(false);
  });
});
