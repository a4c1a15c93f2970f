import { describe, expect, it } from "vitest";
import { deviceOf } from "../../../../src/runtime/cuda/tensor/index.ts";
import { rand } from "../../../../src/runtime/tensor/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { cacheFolder, fakeFolder, noFake } from "../device/on-fake.ts";

describe.skipIf(noFake !== "")(`a GPU by its name${noFake}`, () => {
  it("is opened at its first use and stays the same", () => {
    withFakeEnv({ TESSERA_CUDA_LIBRARY_PATH: fakeFolder, TESSERA_CACHE_DIR: cacheFolder() });
    const x = rand([8], { device: "cuda:0" });
    expect(x.device.id).toBe("cuda:0");
    expect(deviceOf("cuda:0")).toBe(x.device);
    expect(deviceOf(x.device)).toBe(x.device);
    expect(x.digest()).toBe(rand([8]).digest());
  });

  it("that is not there is refused", () => {
    withFakeEnv({ TESSERA_CUDA_LIBRARY_PATH: fakeFolder, TESSERA_CACHE_DIR: cacheFolder() });
    expect(() => rand([8], { device: "cuda:7" })).toThrow(
      expect.objectContaining({ code: "E_CUDA_UNAVAILABLE" }),
    );
  });
});
