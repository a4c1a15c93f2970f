import { beforeEach, describe, expect, it } from "vitest";
import {
  type CudaDeviceId,
  cudaAvailable,
  listCudaDevices,
  loadCuda,
  openCudaDevice,
} from "../../../../src/runtime/cuda/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { fakeFolder, noFake, openFake, openHandles, scaleKernel } from "./on-fake.ts";

const folders = [fakeFolder];

describe.skipIf(noFake !== "")(`GPUs of a machine${noFake}`, () => {
  beforeEach(() => withFakeEnv({ FAKE_CUDA_DEVICES: "2" }));

  it("are listed as the driver describes them", () => {
    const devices = listCudaDevices({ folders });
    expect(devices.map(({ index }) => index)).toEqual([0, 1]);
    expect(devices[0]).toMatchObject({
      model: "Fake H200",
      uuid: expect.stringMatching(/^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      pciBusId: expect.stringMatching(/^[0-9a-f]{4}:[0-9a-f]{2}:00\.0$/),
      computeCapability: { major: 9, minor: 0 },
      multiprocessors: 132,
      memoryBytes: 2 ** 30,
      driverVersion: "13.0",
    });
    expect(devices[0]?.uuid).not.toBe(devices[1]?.uuid);
    expect(cudaAvailable({ folders })).toEqual({ available: true, count: 2 });
  });

  it("that are hidden from this process do not count", () => {
    withFakeEnv({ CUDA_VISIBLE_DEVICES: "" });
    expect(cudaAvailable({ folders })).toEqual({
      available: false,
      reason: "the driver sees no GPU",
    });
  });

  it.each(["cuda:2", "cuda:", "cuda:-1", "cuda:0x1", "gpu:0"])(
    "that do not exist are refused by name: %s",
    (id) => {
      expect(() => openCudaDevice(id as CudaDeviceId, { folders })).toThrow(
        expect.objectContaining({
          code: "E_CUDA_UNAVAILABLE",
          message: `No GPU can be used here: there is no ${id}; this process sees cuda:0 to cuda:1.`,
        }),
      );
    },
  );
});

describe.skipIf(noFake !== "")(`an open GPU${noFake}`, () => {
  it("is one and the same for all, until the last has closed it", () => {
    const device = openFake();
    const again = openCudaDevice("cuda:0", { folders, env: { PATH: "/another" } });
    expect(again).toBe(device);
    again.close();
    const buffer = device.memory.allocate(16);
    device.stream.fill({ buffer }, 0, 16);
    device.synchronize();
  });

  it("gives back everything when it is closed, whoever still holds it", () => {
    const device = openCudaDevice("cuda:0", { folders });
    const buffer = device.memory.allocate(100);
    device.memory.allocate(100).free();
    const pinned = device.memory.allocatePinned(100);
    const stream = device.createStream();
    const event = device.createEvent();
    stream.record(event);
    expect(openHandles(device)).toBeGreaterThan(0);
    device.close();
    expect(openHandles(device)).toBe(0);
    // Twice is once for what went with the device.
    buffer.free();
    pinned.free();
    stream.close();
    event.close();
    expect(openHandles(device)).toBe(0);
    expect(() => device.synchronize()).toThrow(/cuda:0 was closed in this process/);
    expect(() => device.close()).toThrow(/closed more often than it was opened/);
  });

  it("can be opened again after it was closed", () => {
    const first = openCudaDevice("cuda:0", { folders });
    first.close();
    const second = openFake();
    expect(second).not.toBe(first);
    second.stream.fill({ buffer: second.memory.allocate(4) }, 1, 4);
    second.synchronize();
  });

  it("lets other libraries close their handles before the context goes, the last first", () => {
    const device = openCudaDevice("cuda:0", { folders });
    const order: string[] = [];
    device.onClose(() => order.push("first"));
    device.onClose(() => {
      throw new Error("a handle that does not close");
    });
    device.onClose(() => {
      device.synchronize();
      order.push("last");
    });
    expect(() => device.close()).toThrow("a handle that does not close");
    expect(order).toEqual(["last", "first"]);
    expect(openHandles(device)).toBe(0);
  });

  it("leaves nothing behind when it cannot be opened", () => {
    withFakeEnv({ FAKE_CUDA_FAIL: "cuStreamCreateWithPriority:1:2" });
    expect(() => openCudaDevice("cuda:0", { folders })).toThrow(/CUDA_ERROR_OUT_OF_MEMORY/);
    const libraries = loadCuda({ folders });
    if ("reason" in libraries) throw new Error(libraries.reason);
    expect(openHandles({ libraries })).toBe(0);
    const device = openFake();
    device.synchronize();
  });

  it("keeps its context current beside other GPUs", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2" });
    const [one, two] = [openFake("cuda:0"), openFake("cuda:1")];
    for (const device of [one, two, one, two]) {
      const buffer = device.memory.allocate(4);
      device.stream.upload({ buffer }, new Uint8Array(4));
      device.stream.synchronize();
      device.module(scaleKernel).kernel("scale");
    }
    two.libraries.driver.cuCtxSetCurrent(0n);
    two.makeCurrent();
    two.synchronize();
  });
});
