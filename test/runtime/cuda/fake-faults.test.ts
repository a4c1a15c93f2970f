import { describe, expect, it } from "vitest";
import type { CudaDevice } from "../../../src/runtime/cuda/index.ts";
import { withFakeEnv } from "../../support/fake-cuda/index.ts";
import { floats, noFake, openFake, readFloats, scaleKernel } from "./device/on-fake.ts";

/** Doubles eight numbers on the GPU. */
function double(device: CudaDevice, stream = device.stream): number[] {
  using input = device.memory.allocate(32);
  using out = device.memory.allocate(32);
  stream.upload({ buffer: input }, floats(1, 2, 3, 4, 5, 6, 7, 8));
  launchDouble(device, { out, input }, stream);
  return readFloats(device, out, stream).slice(0, 8);
}

function launchDouble(
  device: CudaDevice,
  { out, input }: Record<"out" | "input", Parameters<CudaDevice["stream"]["upload"]>[0]["buffer"]>,
  stream = device.stream,
): void {
  stream.launch(device.module(scaleKernel).kernel("scale"), {
    grid: 1,
    block: 8,
    args: [{ ptr: out }, { ptr: input }, { f32: 2 }, { f64: 0 }, { i32: 8 }],
  });
}

const doubled = [2, 4, 6, 8, 10, 12, 14, 16];

describe.skipIf(noFake !== "")(`faults of the fake GPU${noFake}`, () => {
  it("without faults the answer is right", () => {
    expect(double(openFake())).toEqual(doubled);
  });

  it("the nth call answers what it is told, and the next works", () => {
    withFakeEnv({ FAKE_CUDA_FAIL: "cuMemAlloc_v2:2:2" });
    const { driver } = openFake().libraries;
    const address = Buffer.alloc(8);
    expect([1, 2, 3].map(() => driver.cuMemAlloc_v2(address, 256))).toEqual([0, 2, 0]);
  });

  it("`n+` is every call from the nth on", () => {
    withFakeEnv({ FAKE_CUDA_FAIL: "cuCtxSynchronize:2+:719" });
    const { driver } = openFake().libraries;
    expect([1, 2, 3].map(() => driver.cuCtxSynchronize())).toEqual([0, 719, 719]);
  });

  it("one bit of one launch on one GPU is flipped", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2", FAKE_CUDA_FLIP: "1:scale:2:31" });
    const [healthy, sick] = [openFake("cuda:0"), openFake("cuda:1")];
    expect(double(sick)).toEqual(doubled);
    // The highest bit of a float is its sign.
    expect(double(sick)).toEqual([-2, ...doubled.slice(1)]);
    expect(double(sick)).toEqual(doubled);
    for (let run = 0; run < 3; run++) expect(double(healthy)).toEqual(doubled);
  });

  it("memory ends where it is told to", () => {
    withFakeEnv({ FAKE_CUDA_MEMORY_BYTES: "1048576" });
    const device = openFake();
    expect(device.memory.available().totalBytes).toBe(1_048_576);
    expect(() => device.memory.allocate(2_000_000)).toThrow(/OUT_OF_MEMORY/);
  });

  it("writing past the end of memory shows when it is freed", () => {
    const device = openFake();
    const { driver } = device.libraries;
    const address = Buffer.alloc(8);
    driver.cuMemAlloc_v2(address, 28);
    const out = address.readBigUInt64LE();
    using input = device.memory.allocate(32);
    device.stream.launch(device.module(scaleKernel).kernel("scale"), {
      grid: 1,
      block: 8,
      args: [{ ptr: out }, { ptr: input }, { f32: 2 }, { f64: 0 }, { i32: 8 }],
    });
    expect(driver.cuMemFree_v2(out)).toBe(700);
  });

  it("a launch that hangs leaves the stream busy and others alone", () => {
    withFakeEnv({ FAKE_CUDA_HANG: "0:scale:1" });
    const device = openFake();
    using stuck = device.createStream();
    using other = device.createStream();
    using input = device.memory.allocate(32);
    using out = device.memory.allocate(32);
    launchDouble(device, { out, input }, stuck);
    using event = device.createEvent();
    stuck.record(event);
    for (let look = 0; look < 3; look++) expect(event.isDone()).toBe(false);
    using otherEvent = device.createEvent();
    other.record(otherEvent);
    expect([otherEvent.isDone(), otherEvent.isDone()].at(-1)).toBe(true);
    delete process.env["FAKE_CUDA_HANG"];
  });

  it("a slow GPU takes longer between events", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "2", FAKE_CUDA_SLOW: "1:1000000" });
    const times = (["cuda:0", "cuda:1"] as const).map((id) => {
      const device = openFake(id);
      using start = device.createEvent();
      using end = device.createEvent();
      device.stream.record(start);
      double(device);
      device.stream.record(end);
      device.synchronize();
      return end.elapsedMsSince(start);
    });
    expect(times[1]).toBeGreaterThan((times[0] ?? 0) * 10);
  });
});

describe.skipIf(noFake !== "")(`the order of work on the fake GPU${noFake}`, () => {
  it("nothing is done before somebody waits for it", () => {
    const device = openFake();
    using input = device.memory.allocate(32);
    using out = device.memory.allocate(32);
    using pinned = device.memory.allocatePinned(32);
    pinned.bytes.fill(0);
    device.stream.upload({ buffer: input }, floats(1, 2, 3, 4, 5, 6, 7, 8));
    launchDouble(device, { out, input });
    const { driver } = device.libraries;
    const seen = () => [...new Float32Array(pinned.bytes.slice().buffer)].slice(0, 8);
    driver.cuMemcpyDtoHAsync_v2(pinned.bytes, out.address, 32, device.stream.handle);
    expect(seen()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    device.stream.synchronize();
    expect(seen()).toEqual(doubled);
  });

  it("a stream that waits for an event of another comes after it, and else does not", () => {
    const device = openFake();
    using first = device.createStream();
    using second = device.createStream();
    using input = device.memory.allocate(32);
    using out = device.memory.allocate(32);
    device.stream.upload({ buffer: input }, floats(1, 2, 3, 4, 5, 6, 7, 8));
    device.stream.upload({ buffer: out }, floats(0, 0, 0, 0, 0, 0, 0, 0));
    device.synchronize();
    launchDouble(device, { out, input }, first);
    using event = device.createEvent();
    first.record(event);
    expect(readFloats(device, out, second).slice(0, 8)).not.toEqual(doubled);
    second.waitFor(event);
    expect(readFloats(device, out, second).slice(0, 8)).toEqual(doubled);
  });

  it("new memory does not look like zeros", () => {
    const device = openFake();
    using buffer = device.memory.allocate(256);
    const bytes = new Uint8Array(256);
    device.stream.download({ buffer }, bytes);
    expect(new Set(bytes)).toEqual(new Set([0xcb]));
  });

  it("CUDA_VISIBLE_DEVICES chooses and orders GPUs by number or UUID", () => {
    withFakeEnv({ FAKE_CUDA_DEVICES: "3", CUDA_VISIBLE_DEVICES: "2,0" });
    const ids = (["cuda:0", "cuda:1"] as const).map((id) => openFake(id).properties.pciBusId);
    expect(ids).toEqual(["0000:39:00.0", "0000:19:00.0"]);
  });
});
