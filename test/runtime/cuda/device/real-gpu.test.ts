import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import {
  type CudaDevice,
  cudaAvailable,
  openCudaDevice,
} from "../../../../src/runtime/cuda/index.ts";
import { coreProofs } from "./core-proof.ts";

// A fake GPU that the environment names is not meant here.
const folders: readonly string[] = [];
const found = cudaAvailable({ folders });
const reason = found.available ? "" : ` (skipped: ${found.reason})`;
const clock = createRealClock();

describe.skipIf(!found.available)(`on the real GPU${reason}`, () => {
  let device: CudaDevice;

  beforeAll(() => {
    device = openCudaDevice("cuda:0", { folders, clock });
  });
  afterAll(() => device.close());

  it.each(coreProofs)("$title", async ({ prove }) => {
    expect(await prove(device, clock)).not.toBe("");
  });
});
