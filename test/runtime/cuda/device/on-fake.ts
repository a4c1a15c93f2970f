import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import {
  type CudaDevice,
  type CudaDeviceId,
  type KernelSource,
  type OpenCudaDeviceOptions,
  openCudaDevice,
} from "../../../../src/runtime/cuda/index.ts";
import { buildFakeCuda, reasonOf } from "../../../support/fake-cuda/index.ts";

const fake = await buildFakeCuda();

/** Why there is no fake GPU here, for a title; empty when there is one. */
export const noFake = reasonOf(fake);

/** Where the fake libraries lie. */
export const fakeFolder = "reason" in fake ? "" : fake.folder;

/**
 * Opens a GPU of the fake machine until the test ends, and then expects that nothing is left open
 * behind it. Compiled kernels are kept in a folder of the test.
 */
export function openFake(
  id: CudaDeviceId = "cuda:0",
  options: Omit<OpenCudaDeviceOptions, "folders"> = {},
): CudaDevice {
  const device = open(id, options);
  opened += 1;
  onTestFinished(() => {
    device.close();
    opened -= 1;
    if (opened === 0) expect(openHandles(device)).toBe(0);
  });
  return device;
}

let opened = 0;

/** Opens a GPU of the fake machine; whoever asked for it closes it. */
export function open(
  id: CudaDeviceId,
  options: Omit<OpenCudaDeviceOptions, "folders"> = {},
): CudaDevice {
  const env = { ...process.env, TESSERA_CACHE: cacheFolder() };
  return openCudaDevice(id, { env, ...options, folders: [fakeFolder] });
}

/** What the fake driver counts as not closed, and the first GPU's context while it is held. */
export function openHandles({ libraries }: Pick<CudaDevice, "libraries">): number {
  const library = libraries.ffi.load(join(fakeFolder, "libcuda.so.1"));
  const state = "int cuDevicePrimaryCtxGetState(int device, void *flags, void *active)";
  const active = Buffer.alloc(4);
  library.func(state)(0, Buffer.alloc(4), active);
  return Number(library.func("int fakeCudaOpenHandles()")()) + active.readInt32LE();
}

let kept: string | undefined;

/** Where compiled kernels are kept. One for all tests of a file: the libraries are loaded with the first environment. */
export function cacheFolder(): string {
  if (kept === undefined) {
    const folder = mkdtempSync(join(tmpdir(), "tessera-kernels-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    kept = folder;
  }
  return kept;
}

/** `out[i] = in[i] * factor + add`, for tests that need some kernel. */
export const scaleKernel: KernelSource = {
  name: "test-scale",
  code: `extern "C" __global__ void scale(float *out, const float *in, float factor, double add, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor + (float)add;
}`,
  kernels: ["scale"],
};

/** The bytes of numbers as the GPU keeps them. */
export function floats(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

/** What lies in a buffer, as numbers. */
export function readFloats(
  device: CudaDevice,
  buffer: Parameters<CudaDevice["stream"]["download"]>[0]["buffer"],
  stream = device.stream,
): number[] {
  const values = new Float32Array(buffer.bytes / 4);
  stream.download({ buffer }, new Uint8Array(values.buffer));
  return [...values];
}
