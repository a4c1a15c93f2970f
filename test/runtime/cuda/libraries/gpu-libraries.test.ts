import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../../../src/platform/doctor/index.ts";
import { runDoctor } from "../../../../src/platform/doctor/index.ts";
import { createRealClock } from "../../../../src/platform/time/real-clock.ts";
import { gpuLibraryProbes } from "../../../../src/runtime/cuda/index.ts";
import { contextWith, programsFolder } from "../../../platform/doctor/support.ts";
import { buildInspector, compileLibrary, hasCompiler } from "./inspector.ts";

const compiler = await hasCompiler();
const linux = process.platform === "linux";
const reason = compiler && linux ? "" : " (skipped: needs Linux and a C compiler)";

const int = (name: string, value: number) => `int ${name}(int *v) { *v = ${value}; return 0; }\n`;
const stubs = {
  "libcuda.so.1":
    int("cuDriverGetVersion", 13000) +
    int("cuDeviceGetCount", 2) +
    "int cuInit(unsigned f) { return 0; }",
  "libnvidia-ml.so.1": `
#include <string.h>
static int up = 0;
int nvmlInit_v2(void) { up = 1; return 0; }
int nvmlShutdown(void) { up = 0; return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return up ? 0 : 1; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **d) { *d = (void *)(long)(i + 1); return 0; }
int nvmlDeviceGetName(void *d, char *t, unsigned n) {
  if ((long)d == 2) return 15;
  strncpy(t, "Stub H200", n); return 0; }
int nvmlSystemGetDriverVersion(char *t, unsigned n) { strncpy(t, "580.65.06", n); return 0; }`,
  "libcudart.so.13": int("cudaRuntimeGetVersion", 13020),
  "libcudart.so.12": int("cudaRuntimeGetVersion", 12080),
  "libcublas.so.13":
    "int cublasGetProperty(int t, int *v) { int p[3] = {13, 1, 7}; *v = p[t]; return 0; }",
  "libcublasLt.so.13": "#include <stddef.h>\nsize_t cublasLtGetVersion(void) { return 130107; }",
  "libnvrtc.so.13": "int nvrtcVersion(int *a, int *b) { *a = 13; *b = 0; return 0; }",
  "libnccl.so.2": int("ncclGetVersion", 22703),
};

let root = "";
let inspector = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "tessera-gpu-"));
  inspector = await buildInspector(root, { ffi: true });
  if (!compiler || !linux) return;
  for (const [soname, source] of Object.entries(stubs)) {
    await compileLibrary(join(root, "stubs"), soname, source);
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function findAll(
  env: Record<string, string>,
  program = inspector,
): Promise<Map<string, Finding>> {
  const probes = gpuLibraryProbes({ inspector: [process.execPath, program] });
  const findings = await runDoctor(probes, {
    clock: createRealClock(),
    env: { PATH: "", ...env },
    timeoutMsPerProbe: 60_000,
  });
  return new Map(findings.map((finding) => [finding.id, finding]));
}

function find(id: string, env: Record<string, string>, program = inspector): Promise<Finding> {
  const probes = gpuLibraryProbes({ inspector: [process.execPath, program] });
  const probe = probes.find((one) => one.id === id);
  if (probe === undefined) throw new Error(`no probe ${id}`);
  return probe.find(contextWith({ PATH: "", ...env }));
}

describe.skipIf(!compiler || !linux)(`libraries that are installed${reason}`, () => {
  it("are found by the loader and asked for their version, each on its own", async () => {
    const stubFolder = join(root, "stubs");
    const findings = await findAll({ LD_LIBRARY_PATH: stubFolder });
    const reasons = [...findings].map(([id, { state, reason }]) => [
      id,
      state,
      reason.replaceAll(stubFolder, "STUBS"),
    ]);
    expect(reasons).toEqual([
      ["gpu-libcuda", "works", "libcuda.so.1 13.0 at STUBS/libcuda.so.1."],
      [
        "gpu-nvml",
        "works",
        "libnvidia-ml.so.1 580.65.06 with 2 GPUs (1 Stub H200, 1 (no answer: a GPU has fallen off the bus)) at STUBS/libnvidia-ml.so.1.",
      ],
      [
        "gpu-cudart",
        "works",
        "libcudart.so.13 13.2 at STUBS/libcudart.so.13; also libcudart.so.12 12.8 at STUBS/libcudart.so.12.",
      ],
      ["gpu-cublas", "works", "libcublas.so.13 13.1.7 at STUBS/libcublas.so.13."],
      ["gpu-cublaslt", "works", "libcublasLt.so.13 13.1.7 at STUBS/libcublasLt.so.13."],
      ["gpu-nvrtc", "works", "libnvrtc.so.13 13.0 at STUBS/libnvrtc.so.13."],
      ["gpu-nccl", "works", "libnccl.so.2 2.27.3 at STUBS/libnccl.so.2."],
    ]);
  });

  it("are found in CUDA_HOME and among Python's packages when the loader does not know them", async () => {
    const home = join(root, "home");
    const packages = join(root, "packages");
    await compileLibrary(join(home, "lib64"), "libnvrtc.so.13", stubs["libnvrtc.so.13"]);
    await compileLibrary(
      join(packages, "nvidia", "nccl", "lib"),
      "libnccl.so.2",
      stubs["libnccl.so.2"],
    );
    const nvrtc = await find("gpu-nvrtc", { CUDA_HOME: home });
    const PATH = await programsFolder({ python3: `echo ${packages}` });
    const nccl = await find("gpu-nccl", { PATH });
    await rm(PATH, { recursive: true });
    expect(nvrtc).toMatchObject({ state: "works" });
    expect(nvrtc.evidence?.["folders"]).toContain(join(home, "lib64"));
    expect(nccl).toMatchObject({ state: "works" });
    expect(nccl.evidence?.["folders"]).toContain(join(packages, "nvidia", "nccl", "lib"));
  });
});

describe.skipIf(!compiler || !linux)(`TESSERA_CUDA_LIBRARY_PATH${reason}`, () => {
  it("comes before what the loader knows", async () => {
    const given = join(root, "given");
    await compileLibrary(given, "libnccl.so.2", int("ncclGetVersion", 22809));
    const env = { LD_LIBRARY_PATH: join(root, "stubs"), TESSERA_CUDA_LIBRARY_PATH: given };
    const finding = await find("gpu-nccl", env);
    expect(finding).toMatchObject({
      state: "works",
      reason: `libnccl.so.2 2.28.9 at ${join(given, "libnccl.so.2")}.`,
    });
    expect(finding.evidence?.["folders"]).toContain(given);
  });

  it("leaves what is not there to the loader", async () => {
    const env = { LD_LIBRARY_PATH: join(root, "stubs"), TESSERA_CUDA_LIBRARY_PATH: "/nonexistent" };
    expect(await find("gpu-nccl", env)).toMatchObject({
      state: "works",
      reason: `libnccl.so.2 2.27.3 at ${join(root, "stubs", "libnccl.so.2")}.`,
    });
  });
});

describe.skipIf(!compiler || !linux)(`libraries that are damaged${reason}`, () => {
  it("do not take the doctor down when they abort", async () => {
    const folder = join(root, "aborting");
    const source =
      "#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { abort(); }";
    await compileLibrary(folder, "libcuda.so.1", source);
    expect(await find("gpu-libcuda", { LD_LIBRARY_PATH: folder })).toMatchObject({
      state: "unknown",
      reason: "Loading libcuda.so.1 crashed: ended by SIGABRT.",
    });
  });

  it("are limited when the driver does not start", async () => {
    const folder = join(root, "no-device");
    await compileLibrary(
      folder,
      "libcuda.so.1",
      `${int("cuDriverGetVersion", 12040)}int cuInit(unsigned f) { return 100; }`,
    );
    await compileLibrary(folder, "libnvidia-ml.so.1", "int nvmlInit_v2(void) { return 9; }");
    const cuda = await find("gpu-libcuda", { LD_LIBRARY_PATH: folder });
    expect(cuda.state).toBe("limited");
    expect(cuda.reason).toContain("libcuda.so.1 12.4");
    expect(cuda.reason).toContain("cuInit answers 100 (no CUDA-capable device)");
    const nvml = await find("gpu-nvml", { LD_LIBRARY_PATH: folder });
    expect(nvml.state).toBe("limited");
    expect(nvml.reason).toContain("nvmlInit answers 9 (the driver is not loaded)");
  });

  it("are limited when they lack the function that tells their version", async () => {
    const folder = join(root, "old");
    await compileLibrary(folder, "libnccl.so.2", "int something_else;");
    const finding = await find("gpu-nccl", { LD_LIBRARY_PATH: folder });
    expect(finding.state).toBe("limited");
    expect(finding.reason).toContain("it does not tell its version");
  });

  it("are named with what they lack when they cannot be loaded", async () => {
    const folder = join(root, "lacking", "lib64");
    await compileLibrary(folder, "libmissing-part.so.1", "int part(void) { return 0; }");
    await compileLibrary(
      folder,
      "libnccl.so.2",
      "int part(void); int ncclGetVersion(int *v) { return part(); }",
      { needs: "libmissing-part.so.1" },
    );
    await rm(join(folder, "libmissing-part.so.1"));
    const finding = await find("gpu-nccl", { CUDA_HOME: join(root, "lacking") });
    const broken = JSON.stringify(finding.evidence?.["broken"]);
    // A machine with another NCCL of its own loads that one after all.
    expect(["missing", "works"]).toContain(finding.state);
    expect(broken).toContain("libmissing-part.so.1");
  });

  it("are unknown when they never come back", async () => {
    const folder = join(root, "hanging");
    const source =
      "#include <unistd.h>\n__attribute__((constructor)) static void go(void) { for (;;) sleep(1); }";
    await compileLibrary(folder, "libnccl.so.2", source);
    const probes = gpuLibraryProbes({ inspector: [process.execPath, inspector] });
    const [finding] = await runDoctor(
      probes.filter(({ id }) => id === "gpu-nccl"),
      {
        clock: createRealClock(),
        env: { PATH: "", LD_LIBRARY_PATH: folder },
        timeoutMsPerProbe: 3000,
      },
    );
    expect(finding).toMatchObject({ state: "unknown" });
  });
});

describe("libraries that cannot be looked at", () => {
  it("are unknown without the FFI, never missing or healthy", async () => {
    const without = await buildInspector(root, { ffi: false });
    const finding = await find("gpu-libcuda", {}, without);
    expect(finding.state).toBe(linux ? "unknown" : "missing");
    if (linux) expect(finding.reason).toContain("koffi");
  });
});
