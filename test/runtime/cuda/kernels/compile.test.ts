import { describe, expect, it } from "vitest";
import { compileKernel } from "../../../../src/runtime/cuda/device/compile-kernel.ts";
import type { KernelSource } from "../../../../src/runtime/cuda/device/device.ts";
import { loadFfi } from "../../../../src/runtime/cuda/ffi/ffi.ts";
import { kernelFamilies, kernelsDigest } from "../../../../src/runtime/cuda/kernels/index.ts";
import { findLibrary, givenFolders } from "../../../../src/runtime/cuda/libraries/index.ts";
import type { CudaDType } from "../../../../src/runtime/cuda/tensor/index.ts";

const ffi = loadFfi();
const found =
  "reason" in ffi
    ? ffi
    : findLibrary("nvrtc", { ffi, env: process.env, given: givenFolders(process.env) });
const nvrtc = "reason" in found ? undefined : found.functions;
const why = "reason" in found ? ` (skipped: ${found.reason})` : "";

const attention = { TILE: 64, WIDTH: 128 };

/** The source of a family for a format, whatever parameters it has. */
function sourceOf(name: keyof typeof kernelFamilies, dtype: CudaDType): KernelSource {
  const family = kernelFamilies[name];
  const formats = { T: dtype, FROM: dtype, TO: "bf16", G: dtype, M: "f32" } as const;
  const source = family.source as (formats: object, constants?: object) => KernelSource;
  return source(formats, name.startsWith("attention") ? attention : {});
}

describe.skipIf(nvrtc === undefined)(`NVRTC compiles every kernel${why}`, () => {
  const names = Object.keys(kernelFamilies) as (keyof typeof kernelFamilies)[];
  it.each(names)("of %s", (name) => {
    const source = sourceOf(name, "bf16");
    const image = compile(source, "sm_90");
    for (const kernel of source.kernels) expect(image.includes(kernel), kernel).toBe(true);
  });

  it.each<[CudaDType, string]>([
    ["f64", "sm_80"],
    ["f32", "sm_100"],
    ["f16", "sm_80"],
    ["e4m3", "sm_100"],
    ["i32", "sm_90"],
  ])("in %s for %s", (dtype, arch) => {
    for (const name of ["create", "convert", "layout", "checksum"] as const) {
      expect(compile(sourceOf(name, dtype), arch).length).toBeGreaterThan(0);
    }
  });
});

function compile(source: KernelSource, arch: string): Buffer {
  if (nvrtc === undefined) throw new Error("there is no NVRTC");
  return compileKernel(nvrtc, source, { arch, compiler: "any" });
}

describe("the digest of all kernels", () => {
  it("is the same at every call", () => {
    expect(kernelsDigest()).toMatch(/^[0-9a-f]{12}$/);
    expect(kernelsDigest()).toBe(kernelsDigest());
  });
});

describe("a family of kernels", () => {
  it("gives one source for one combination of formats, with the formats as macros", () => {
    const { create } = kernelFamilies;
    const source = create.source({ T: "bf16" });
    expect(create.source({ T: "bf16" })).toBe(source);
    expect(create.source({ T: "f32" })).not.toBe(source);
    expect(source.defines).toEqual({ FORMAT_T: "bf16" });
    expect(create.source({ T: "i32" }).defines).toEqual({ FORMAT_T: "int" });
    expect(source.name).toBe("create-bf16");
  });
});
