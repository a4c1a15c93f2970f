import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempPathFor } from "../../../../src/platform/files/temp-files.ts";
import type { KernelSource } from "../../../../src/runtime/cuda/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { cacheFolder, floats, noFake, open, openFake, readFloats } from "./on-fake.ts";

let sources = 0;

/** A source that no test before has compiled. */
function newSource(value: number, defines?: KernelSource["defines"]): KernelSource {
  sources += 1;
  return {
    name: "test-constant",
    code: `/* ${sources} */
#ifndef EXTRA
#define EXTRA 0
#endif
extern "C" __global__ void constant(float *out) { out[threadIdx.x] = ${value} + EXTRA; }`,
    kernels: ["constant"],
    ...(defines === undefined ? {} : { defines }),
  };
}

/** What a kernel without arguments but its output writes. */
function run(source: KernelSource, sharedBytes = 0): number[] {
  using device = open("cuda:0");
  const buffer = device.memory.allocate(8);
  const kernel = device.module(source).kernel("constant");
  device.stream.launch(kernel, { grid: 1, block: 2, sharedBytes, args: [{ ptr: buffer }] });
  return readFloats(device, buffer);
}

describe.skipIf(noFake !== "")(`kernels${noFake}`, () => {
  beforeEach(() => withFakeEnv({ FAKE_CUDA_DEVICES: "2" }));

  it("are compiled with their definitions", () => {
    expect(run(newSource(1))).toEqual([1, 1]);
    expect(run(newSource(1, { EXTRA: 41 }))).toEqual([42, 42]);
  });

  it("are compiled and loaded once for a source, however often it is asked for", () => {
    const device = openFake();
    const source = newSource(1);
    const module = device.module(source);
    expect(device.module(source)).toBe(module);
    expect(device.module({ ...source })).toBe(module);
    expect(device.module({ ...source, defines: { EXTRA: 1 } })).not.toBe(module);
    expect(module.kernel("constant")).toBe(module.kernel("constant"));
  });

  it("of one name in two sources are two kernels", () => {
    const device = openFake();
    const buffer = device.memory.allocate(8);
    const code = newSource(0);
    for (const EXTRA of [4, 5, 4]) {
      const kernel = device.module({ ...code, defines: { EXTRA } }).kernel("constant");
      device.stream.launch(kernel, { grid: 1, block: 2, args: [{ ptr: buffer }] });
      expect(readFloats(device, buffer)).toEqual([EXTRA, EXTRA]);
    }
  });

  it("that do not compile say why, and that the GPU is not to blame", () => {
    const device = openFake();
    const source = { name: "test-wrong", code: "this is not C", kernels: ["wrong"] };
    expect(() => device.module(source)).toThrow(
      expect.objectContaining({
        code: "E_CUDA",
        message: expect.stringMatching(
          /^nvrtcCompileProgram failed: NVRTC_ERROR_COMPILATION \(6\)\. The kernels are those of test-wrong\. [^]*error/,
        ),
        hint: expect.stringContaining("not at fault"),
      }),
    );
  });

  it("that are not in the source are named, with those that are", () => {
    const device = openFake();
    expect(() => device.module(newSource(1)).kernel("constnat")).toThrow(
      expect.objectContaining({
        code: "E_CUDA",
        message:
          "cuModuleGetFunction failed: CUDA_ERROR_NOT_FOUND (500). The source test-constant has no kernel constnat; it names constant.",
      }),
    );
  });

  it("get more shared memory than usual when a launch asks for it", () => {
    const source = newSource(2);
    expect(run(source, 100 * 1024)).toEqual([2, 2]);
    withFakeEnv({ FAKE_CUDA_FAIL: "cuFuncSetAttribute:1:1" });
    expect(run(source, 48 * 1024)).toEqual([2, 2]);
    expect(() => run(source, 100 * 1024)).toThrow(/constant asks for 102400 bytes of shared/);
  });

  it("run on each GPU of the machine, one after the other", () => {
    const [one, two] = [openFake("cuda:0"), openFake("cuda:1")];
    const source = newSource(3);
    for (const device of [one, two, one]) {
      const buffer = device.memory.allocate(8);
      device.stream.upload({ buffer }, floats(0, 0));
      const kernel = device.module(source).kernel("constant");
      device.stream.launch(kernel, { grid: 1, block: 2, args: [{ ptr: buffer }] });
      expect(readFloats(device, buffer)).toEqual([3, 3]);
    }
  });
});

describe.skipIf(noFake !== "")(`kernels that were compiled before${noFake}`, () => {
  const filesOf = () => readdirSync(join(cacheFolder(), "kernels")).toSorted();
  /** Compiles a source once, and says where the result is kept. */
  const keep = (source: KernelSource) => {
    const before = new Set(filesOf());
    run(source);
    const added = filesOf().filter((name) => !before.has(name));
    expect(added).toHaveLength(1);
    return join(cacheFolder(), "kernels", added[0] ?? "");
  };
  const withoutCompiler = () => withFakeEnv({ FAKE_CUDA_FAIL: "nvrtcCompileProgram:*:6" });

  it("are taken from the user's cache by the next who opens the GPU", () => {
    const source = newSource(5);
    const path = keep(source);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    withoutCompiler();
    expect(run(source)).toEqual([5, 5]);
    expect(() => run(newSource(5))).toThrow(/NVRTC_ERROR_COMPILATION/);
  });

  it("are compiled again when the file is cut short, empty, changed or of something else", () => {
    const source = newSource(6);
    const path = keep(source);
    const whole = readFileSync(path);
    const spoiled = [
      whole.subarray(0, -7),
      Buffer.alloc(0),
      Buffer.from(whole).fill((whole.at(-1) ?? 0) ^ 1, whole.length - 1),
      Buffer.from("tessera-kernel 1 abc\n"),
    ];
    for (const content of spoiled) {
      writeFileSync(path, content);
      expect(run(source)).toEqual([6, 6]);
      expect(readFileSync(path).equals(whole)).toBe(true);
    }
  });

  it("are kept without what a killed writer left; one at work is left alone", () => {
    const path = keep(newSource(8));
    const [old, young] = [tempPathFor(path), tempPathFor(path)];
    for (const temp of [old, young]) writeFileSync(temp, "half");
    const { mtimeMs } = statSync(young);
    utimesSync(old, new Date(mtimeMs - 7_200_000), new Date(mtimeMs - 7_200_000));
    run(newSource(9));
    expect([old, young].map((temp) => existsSync(temp))).toEqual([false, true]);
    rmSync(young);
  });

  it("are not taken for another architecture", () => {
    const source = newSource(7);
    keep(source);
    withFakeEnv({ FAKE_CUDA_CAPABILITY: "80" });
    const before = filesOf().length;
    expect(run(source)).toEqual([7, 7]);
    expect(filesOf()).toHaveLength(before + 1);
  });
});
