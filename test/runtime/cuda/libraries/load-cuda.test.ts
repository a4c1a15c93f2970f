import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CudaLibraries, findLibrary, loadCuda } from "../../../../src/runtime/cuda/index.ts";
import {
  givenFolders,
  libraryFolders,
} from "../../../../src/runtime/cuda/libraries/library-folders.ts";
import { compileLibrary, hasCompiler } from "./inspector.ts";

const able = (await hasCompiler()) && process.platform === "linux";
const reason = able ? "" : " (skipped: needs Linux and a C compiler)";

const driver = (version: number, started = 0) => `
int cuInit(unsigned flags) { return ${started}; }
int cuDriverGetVersion(int *v) { *v = ${version}; return 0; }
int cuGetErrorName(int e, const char **t) { *t = e == 100 ? "CUDA_ERROR_NO_DEVICE" : 0; return *t == 0; }
`;
const nvrtc = (major: number) =>
  `int nvrtcVersion(int *a, int *b) { *a = ${major}; *b = 4; return 0; }`;

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "tessera-load-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A folder with these libraries. */
async function folderWith(name: string, libraries: Record<string, string>): Promise<string> {
  const folder = join(root, name);
  for (const [soname, source] of Object.entries(libraries)) {
    await compileLibrary(folder, soname, source);
  }
  return folder;
}

function loaded(found: CudaLibraries | { reason: string }): CudaLibraries {
  if ("reason" in found) throw new Error(found.reason);
  return found;
}

// No PATH, and so no Python to ask for its packages.
const env = { PATH: "", HOME: "/nonexistent" };

describe.skipIf(!able)(`loading NVIDIA's libraries${reason}`, () => {
  it("starts the driver and takes the others when they are first asked for", async () => {
    const folder = await folderWith("whole", {
      "libcuda.so.1": driver(13020),
      "libnvrtc.so.13": nvrtc(13),
    });
    const cuda = loaded(loadCuda({ env, folders: [folder] }));
    expect(cuda.driverVersion).toBe(13020);
    expect(cuda.errorName(100)).toBe("CUDA_ERROR_NO_DEVICE");
    expect(cuda.errorName(101)).toBe("CUDA_ERROR_UNRECOGNIZED");
    const found = cuda.find("nvrtc");
    if ("reason" in found) throw new Error(found.reason);
    expect(found).toMatchObject({ soname: "libnvrtc.so.13", path: join(folder, "libnvrtc.so.13") });
    expect(found.version()).toBe("13.4");
    expect(cuda.find("nvrtc")).toBe(found);
    expect(loadCuda({ env, folders: [folder] })).toBe(cuda);
  });

  it("looks first in the folders of TESSERA_CUDA_LIBRARY_PATH, in their order", async () => {
    const one = await folderWith("one", { "libcuda.so.1": driver(12010) });
    const two = await folderWith("two", { "libcuda.so.1": driver(12020) });
    const versionWith = (path: string) =>
      loaded(loadCuda({ env: { ...env, TESSERA_CUDA_LIBRARY_PATH: path } })).driverVersion;
    expect(versionWith([one, two].join(delimiter))).toBe(12010);
    expect(versionWith([two, one].join(delimiter))).toBe(12020);
  });

  it("takes the library that fits the driver, not the newest", async () => {
    const both = { "libnvrtc.so.13": nvrtc(13), "libnvrtc.so.12": nvrtc(12) };
    const old = await folderWith("old", { "libcuda.so.1": driver(12080), ...both });
    const young = await folderWith("young", { "libcuda.so.1": driver(13000), ...both });
    const sonameIn = (folder: string) => {
      const found = loaded(loadCuda({ env, folders: [folder] })).find("nvrtc");
      return "reason" in found ? found.reason : found.soname;
    };
    expect(sonameIn(old)).toBe("libnvrtc.so.12");
    expect(sonameIn(young)).toBe("libnvrtc.so.13");
  });

  it("says why the driver cannot be used", async () => {
    const folder = await folderWith("no-gpu", { "libcuda.so.1": driver(13000, 100) });
    expect(loadCuda({ env, folders: [folder] })).toEqual({
      reason: `cuInit of ${join(folder, "libcuda.so.1")} answers CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device`,
    });
  });

  it("says which library is missing or does not load, when it is needed and not before", async () => {
    const folder = await folderWith("lacking", { "libcuda.so.1": driver(11080) });
    const cuda = loaded(loadCuda({ env, folders: [folder] }));
    expect(cuda.find("cublas")).toEqual({
      reason: "the driver is too old for libcublas.so.13 or libcublas.so.12",
    });
    expect(() => cuda.need("cublas")).toThrow(
      expect.objectContaining({ code: "E_CUDA_UNAVAILABLE" }),
    );
    await writeFile(join(folder, "libnccl.so.2"), "not a library");
    const nccl = cuda.find("nccl");
    // A machine with an NCCL of its own loads that one after all.
    if ("reason" in nccl) expect(nccl.reason).toContain(`${join(folder, "libnccl.so.2")} does not`);
  });

  it("finds a library alone, without a driver", async () => {
    const source = "int nvmlInit_v2(void) { return 0; } int nvmlShutdown(void) { return 7; }";
    const folder = await folderWith("alone", { "libnvidia-ml.so.1": source });
    const nvml = findLibrary("nvml", { env, given: [folder] });
    if ("reason" in nvml) throw new Error(nvml.reason);
    expect(nvml.functions.nvmlInit_v2()).toBe(0);
    expect(nvml.functions.nvmlShutdown()).toBe(7);
    expect(nvml.version()).toBeNull();
  });
});

describe("folders that are searched", () => {
  it("are, of those given, the absolute ones, once each", () => {
    const path = ["/a", "relative", "", "/b", "/a"].join(delimiter);
    expect(givenFolders({ TESSERA_CUDA_LIBRARY_PATH: path })).toEqual(["/a", "/b"]);
    expect(givenFolders({})).toEqual([]);
  });

  it("hold the packages of the Python on the PATH, without asking it", async () => {
    const prefix = join(root, "venv");
    const lib = join(prefix, "lib", "python3.12", "site-packages", "nvidia", "cublas", "lib");
    await mkdir(lib, { recursive: true });
    await mkdir(join(prefix, "bin"));
    await writeFile(join(lib, "libcublas.so.13"), "");
    expect(libraryFolders({ ...env, PATH: join(prefix, "bin") })).not.toContain(lib);
    await writeFile(join(prefix, "bin", "python3"), "");
    expect(libraryFolders({ ...env, PATH: join(prefix, "bin") })).toContain(lib);
  });
});
