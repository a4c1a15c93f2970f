import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { floats, noFake, openFake, readFloats, scaleKernel } from "./on-fake.ts";

describe.skipIf(noFake !== "")(`work on a stream${noFake}`, () => {
  it("is done in order: upload, fill, copy, launch, download", () => {
    const device = openFake();
    const { memory, stream } = device;
    const [input, output] = [memory.allocate(16), memory.allocate(16)];
    stream.upload({ buffer: input }, floats(1, 2, 3, 4));
    stream.fill({ buffer: input, offsetBytes: 12 }, 0, 4);
    const kernel = device.module(scaleKernel).kernel("scale");
    stream.launch(kernel, {
      grid: 2,
      block: [2, 1],
      args: [{ ptr: output }, { ptr: { buffer: input } }, { f32: 10 }, { f64: 0.5 }, { i32: 4 }],
    });
    stream.copy({ buffer: output, offsetBytes: 12 }, { buffer: output }, 4);
    expect(readFloats(device, output)).toEqual([10.5, 20.5, 30.5, 10.5]);
  });

  it("has read ordinary memory when the call returns", () => {
    const device = openFake();
    const buffer = device.memory.allocate(16);
    const bytes = floats(1, 2, 3, 4);
    device.stream.upload({ buffer }, bytes);
    bytes.fill(0);
    expect(readFloats(device, buffer)).toEqual([1, 2, 3, 4]);
  });

  it("moves nothing where there is nothing to move", () => {
    const { memory, stream } = openFake();
    const buffer = memory.allocate(0);
    stream.upload({ buffer }, new Uint8Array(0));
    stream.fill({ buffer }, 1, 0);
    stream.copy({ buffer }, { buffer }, 0);
    stream.download({ buffer }, new Uint8Array(0));
    stream.synchronize();
  });

  it("is refused where it would reach outside of a buffer, or into one that was freed", () => {
    const { memory, stream } = openFake();
    const buffer = memory.allocate(16);
    const other = memory.allocate(8);
    expect(() => stream.upload({ buffer, offsetBytes: 9 }, new Uint8Array(8))).toThrow(
      "bytes 9 to 17 lie outside of a buffer of 16",
    );
    expect(() => stream.download({ buffer, offsetBytes: -1 }, new Uint8Array(8))).toThrow(
      /outside of a buffer/,
    );
    expect(() => stream.copy({ buffer }, { buffer: other }, 9)).toThrow(/a buffer of 8/);
    expect(() => stream.fill({ buffer }, 256, 4)).toThrow("256 is not a byte");
    buffer.free();
    expect(() => stream.fill({ buffer }, 0, 4)).toThrow(/was freed/);
  });

  it("says which kernel could not be launched, and how", () => {
    const device = openFake();
    const kernel = device.module(scaleKernel).kernel("scale");
    const launch = { grid: [1, 2] as const, block: 4096, args: [] };
    expect(() => device.stream.launch(kernel, launch)).toThrow(
      expect.objectContaining({
        code: "E_CUDA",
        message:
          "cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE (1). The kernel is scale with a grid of 1x2x1, blocks of 4096x1x1 and 0 bytes of shared memory.",
      }),
    );
  });

  it("ends with the stream, which closes once", () => {
    const device = openFake();
    const buffer = device.memory.allocate(4);
    const stream = device.createStream({ priority: "high" });
    stream.upload({ buffer }, floats(3));
    stream.close();
    stream[Symbol.dispose]();
    expect(readFloats(device, buffer)).toEqual([3]);
    expect(() => stream.synchronize()).toThrow(/stream was closed/);
  });
});

describe.skipIf(noFake !== "")(`waiting without holding the thread${noFake}`, () => {
  it("ends when the work is done, asking again after a while", async () => {
    const clock = new VirtualClock();
    const device = openFake("cuda:0", { clock });
    device.stream.fill({ buffer: device.memory.allocate(4) }, 0, 4);
    let settled = false;
    const waiting = device.stream.settled().then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(settled).toBe(true);
  });

  it("ends with the signal's reason when that is faster", async () => {
    const clock = new VirtualClock();
    const device = openFake("cuda:0", { clock });
    withFakeEnv({ FAKE_CUDA_FAIL: "cuEventQuery:*:600" });
    const abort = new AbortController();
    const waiting = device.stream.settled(abort.signal);
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(device.stream.settled(AbortSignal.abort(new Error("late")))).rejects.toThrow(
      "late",
    );
  });

  it("ends with the error of the work", async () => {
    const device = openFake();
    withFakeEnv({ FAKE_CUDA_FAIL: "cuEventQuery:1:719" });
    await expect(device.stream.settled()).rejects.toMatchObject({
      code: "E_CUDA",
      details: { name: "CUDA_ERROR_LAUNCH_FAILED", call: "cuEventQuery" },
    });
  });

  it("ends when the stream is closed, which waits for the work itself", async () => {
    const clock = new VirtualClock();
    const device = openFake("cuda:0", { clock });
    const stream = device.createStream();
    withFakeEnv({ FAKE_CUDA_FAIL: "cuEventQuery:*:600" });
    const waiting = stream.settled();
    stream.close();
    await clock.advance(1);
    await expect(waiting).resolves.toBeUndefined();
  });
});

describe.skipIf(noFake !== "")(`events${noFake}`, () => {
  it("are done when the work before them is, and tell the time between", () => {
    const device = openFake();
    const buffer = device.memory.allocate(2 ** 20);
    const [start, end] = [device.createEvent(), device.createEvent()];
    device.stream.record(start);
    for (let index = 0; index < 10; index++) device.stream.fill({ buffer }, index, 2 ** 20);
    device.stream.record(end);
    device.stream.synchronize();
    expect(end.isDone()).toBe(true);
    expect(end.elapsedMsSince(start)).toBeGreaterThan(0);
  });

  it("that were never recorded have no time", () => {
    const device = openFake();
    const [start, end] = [device.createEvent(), device.createEvent()];
    expect(() => end.elapsedMsSince(start)).toThrow(/Both events must be recorded/);
  });

  it("close once, and are not used afterwards", () => {
    const device = openFake();
    const event = device.createEvent();
    event.close();
    event[Symbol.dispose]();
    expect(() => device.stream.record(event)).toThrow(/event was closed/);
  });

  it("put the work of one stream after another's", () => {
    const device = openFake();
    const [one, two] = [device.createStream(), device.createStream()];
    const buffer = device.memory.allocate(4);
    const event = device.createEvent();
    one.upload({ buffer }, floats(1));
    one.record(event);
    two.waitFor(event);
    two.copy({ buffer: device.memory.allocate(4) }, { buffer }, 4);
    expect(readFloats(device, buffer, two)).toEqual([1]);
  });
});

describe.skipIf(noFake !== "")(`memory that is used again${noFake}`, () => {
  it.each(["the device's own stream", "another stream"])(
    "is not overwritten while %s still reads it for the buffer before",
    (which) => {
      const device = openFake();
      const other = device.createStream();
      const [reader, writer] = which.startsWith("another")
        ? [other, device.stream]
        : [device.stream, other];
      const kept = device.memory.allocate(4);
      const first = device.memory.allocate(4);
      reader.upload({ buffer: first }, floats(1));
      reader.copy({ buffer: kept }, { buffer: first }, 4);
      first.free();
      const second = device.memory.allocate(4);
      writer.upload({ buffer: second }, floats(2));
      writer.synchronize();
      expect(readFloats(device, kept, reader)).toEqual([1]);
      expect(readFloats(device, second, writer)).toEqual([2]);
    },
  );

  it("waits for work that another library put on a stream, when it was told", () => {
    const device = openFake();
    const stream = device.createStream();
    const [kept, first] = [device.memory.allocate(4), device.memory.allocate(4)];
    device.stream.upload({ buffer: first }, floats(1));
    device.stream.synchronize();
    stream.uses(first, kept);
    const { cuMemcpyDtoDAsync_v2: copy } = device.libraries.driver;
    expect(copy(kept.address, first.address, 4, stream.handle)).toBe(0);
    first.free();
    device.stream.upload({ buffer: device.memory.allocate(4) }, floats(2));
    device.stream.synchronize();
    expect(readFloats(device, kept, stream)).toEqual([1]);
  });

  it("still waits when a buffer in between was never used", () => {
    const device = openFake();
    const stream = device.createStream();
    const [kept, first] = [device.memory.allocate(4), device.memory.allocate(4)];
    stream.upload({ buffer: first }, floats(1));
    stream.synchronize();
    stream.copy({ buffer: kept }, { buffer: first }, 4);
    first.free();
    device.memory.allocate(4).free();
    device.stream.upload({ buffer: device.memory.allocate(4) }, floats(2));
    device.stream.synchronize();
    expect(readFloats(device, kept, stream)).toEqual([1]);
  });

  it("waits before another library may use it on the device's own stream", () => {
    const device = openFake();
    const stream = device.createStream();
    const [kept, first] = [device.memory.allocate(4), device.memory.allocate(4)];
    stream.upload({ buffer: first }, floats(1));
    stream.synchronize();
    stream.copy({ buffer: kept }, { buffer: first }, 4);
    first.free();
    const second = device.memory.allocate(4);
    const { cuMemsetD8Async: fill } = device.libraries.driver;
    expect(fill(second.address, 0, 4, device.stream.handle)).toBe(0);
    device.stream.synchronize();
    expect(readFloats(device, kept, stream)).toEqual([1]);
  });

  it("keeps the values of both buffers, whichever streams use it and whichever is waited for first", () => {
    const device = openFake();
    const streams = [device.stream, device.createStream()];
    const orders = [
      [0, 1],
      [1, 0],
    ];
    const results = device.memory.allocate(8);
    const pairs = streams.flatMap((one) => streams.map((two) => [one, two] as const));
    for (const [pair, order] of pairs.flatMap((two) => orders.map((one) => [two, one] as const))) {
      for (const [life, stream] of pair.entries()) {
        const buffer = device.memory.allocate(4);
        stream.upload({ buffer }, floats(life + 1));
        stream.copy({ buffer: results, offsetBytes: life * 4 }, { buffer }, 4);
        buffer.free();
      }
      for (const index of order) streams[index]?.synchronize();
      expect(readFloats(device, results)).toEqual([1, 2]);
      device.stream.fill({ buffer: results }, 0, 8);
      device.synchronize();
    }
  });
});
