import { beforeEach, describe, expect, it } from "vitest";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake, openHandles, scaleKernel } from "./on-fake.ts";

describe.skipIf(noFake !== "")(`a failed call${noFake}`, () => {
  it("is told with the driver's function and CUDA's name and number", () => {
    const device = openFake();
    withFakeEnv({ FAKE_CUDA_FAIL: "cuMemsetD8Async:1:1" });
    const buffer = device.memory.allocate(4);
    expect(() => device.stream.fill({ buffer }, 0, 4)).toThrow(
      expect.objectContaining({
        code: "E_CUDA",
        exitCode: 3,
        message: "cuMemsetD8Async failed: CUDA_ERROR_INVALID_VALUE (1). The GPU is cuda:0.",
        details: {
          call: "cuMemsetD8Async",
          name: "CUDA_ERROR_INVALID_VALUE",
          code: 1,
          detail: "The GPU is cuda:0.",
        },
      }),
    );
    // It was that call alone.
    device.stream.fill({ buffer }, 0, 4);
    device.synchronize();
  });

  it("has a name even when CUDA knows none", () => {
    const device = openFake();
    withFakeEnv({ FAKE_CUDA_FAIL: "cuCtxSynchronize:1:12345" });
    expect(() => device.synchronize()).toThrow(
      "cuCtxSynchronize failed: CUDA_ERROR_UNRECOGNIZED (12345).",
    );
  });
});

describe.skipIf(noFake !== "")(`an error that ends the context${noFake}`, () => {
  const wild = { ptr: 0x10n };

  beforeEach(() => withFakeEnv({ FAKE_CUDA_DEVICES: "2" }));

  /** A GPU on which a kernel wrote to an address that is not there. */
  function broken() {
    const device = openFake();
    const kernel = device.module(scaleKernel).kernel("scale");
    const buffer = device.memory.allocate(4);
    device.stream.launch(kernel, {
      grid: 1,
      block: 1,
      args: [wild, { ptr: buffer }, { f32: 1 }, { f64: 0 }, { i32: 1 }],
    });
    return { device, buffer };
  }

  it("names the kernel that was launched last", () => {
    const { device } = broken();
    expect(() => device.synchronize()).toThrow(
      "cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS (700). Work put on cuda:0 before it is the likely cause, last the kernel scale. This process cannot use the GPU any more.",
    );
  });

  it("is named by every call after it, with the call that told it first", () => {
    const { device, buffer } = broken();
    expect(() => device.stream.synchronize()).toThrow(/cuStreamSynchronize failed/);
    const first =
      "cuda:0 cannot be used by this process any more since cuStreamSynchronize reported CUDA_ERROR_ILLEGAL_ADDRESS.";
    expect(() => device.stream.fill({ buffer }, 0, 4)).toThrow(first);
    expect(() => device.memory.allocate(2 ** 20)).toThrow(first);
    expect(() => device.createEvent()).toThrow(first);
  });

  it("lets everything be freed and closed without another error", () => {
    const { device, buffer } = broken();
    const stream = device.createStream();
    const pinned = device.memory.allocatePinned(16);
    expect(() => device.synchronize()).toThrow(/ILLEGAL_ADDRESS/);
    buffer.free();
    pinned.free();
    device.memory.trim();
    stream.close();
    expect(device.memory.accounts()).toMatchObject({ buffers: 0, pooledBytes: 0, pinnedBytes: 0 });
  });

  it("leaves the other GPUs alone", () => {
    const { device } = broken();
    expect(() => device.synchronize()).toThrow(/ILLEGAL_ADDRESS/);
    const other = openFake("cuda:1");
    other.stream.fill({ buffer: other.memory.allocate(4) }, 0, 4);
    other.synchronize();
    expect(openHandles(other)).toBeGreaterThan(0);
  });
});
