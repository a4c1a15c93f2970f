import { describe, expect, test } from "vitest";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import {
  bindNccl,
  type CommunicatorOptions,
  NcclCommunicator,
  newUniqueId,
} from "../../../../src/runtime/cuda/nccl/index.ts";
import { nonBlockingConfig } from "../../../../src/runtime/cuda/nccl/nccl-config.ts";
import { withFakeEnv } from "../../../support/fake-cuda/index.ts";
import { noFake, openFake } from "../device/on-fake.ts";

function alone(change: Partial<CommunicatorOptions> = {}) {
  const device = openFake();
  const nccl = bindNccl(device.libraries);
  const options: CommunicatorOptions = {
    nccl,
    device,
    rank: 0,
    worldSize: 1,
    uniqueId: newUniqueId(nccl),
    clock: createRealClock(),
    signal: new AbortController().signal,
    ...change,
  };
  return { device, options, open: () => NcclCommunicator.open(options) };
}

const float = 7;

test("the configuration is that of NCCL 2.14, which all later versions take", () => {
  const config = Buffer.from(nonBlockingConfig());
  expect(config.length).toBe(24);
  expect(config.readBigUInt64LE(0)).toBe(24n);
  expect(config.readUInt32LE(8)).toBe(0xcafebeef);
  expect(config.readUInt32LE(12)).toBe(21_400);
  expect(config.readInt32LE(16)).toBe(0);
});

describe.skipIf(noFake !== "")(`a communicator on a fake GPU${noFake}`, () => {
  test("adds up what its ranks have", async () => {
    const { device, open } = alone();
    const communicator = await open();
    expect(communicator).toMatchObject({ rank: 0, worldSize: 1, version: "2.27.7" });
    const send = device.memory.allocate(8);
    const receive = device.memory.allocate(8);
    device.stream.upload({ buffer: send }, new Uint8Array(Float32Array.of(3, 4).buffer));
    const { handle } = device.stream;
    await communicator.enqueue("ncclAllReduce", (nccl, comm) =>
      nccl.ncclAllReduce(send.address, receive.address, 2, float, 0, comm, handle),
    );
    using done = device.createEvent();
    device.stream.record(done);
    await communicator.settled("ncclAllReduce", done);
    const answer = new Float32Array(2);
    device.stream.download({ buffer: receive }, new Uint8Array(answer.buffer));
    expect([...answer]).toEqual([3, 4]);
    await communicator.close();
    await communicator.close();
  });

  test("tells NCCL's own name and words of what it refuses", async () => {
    const { device, open } = alone();
    const communicator = await open();
    const { handle } = device.stream;
    const calling = communicator.enqueue("ncclAllReduce", (nccl, comm) =>
      nccl.ncclAllReduce(16n, 16n, 2, float, 0, comm, handle),
    );
    await expect(calling).rejects.toMatchObject({
      code: "E_CUDA",
      message: "ncclAllReduce failed: ncclInvalidArgument (4). invalid argument.",
    });
    await communicator.close();
  });

  test("is not there when NCCL does not take the rank", async () => {
    withFakeEnv({ FAKE_CUDA_FAIL: "ncclCommInitRankConfig:1:2" });
    await expect(alone().open()).rejects.toMatchObject({
      code: "E_CUDA",
      message: expect.stringContaining("ncclCommInitRankConfig failed: ncclSystemError (2)"),
    });
  });

  test("gives up on ranks that do not come, and says for how long it waited", async () => {
    const { open } = alone({ worldSize: 2, timeoutMs: 50 });
    await expect(open()).rejects.toMatchObject({
      code: "E_TIMEOUT",
      message: "ncclCommInitRankConfig of rank 0 did not finish within 50 ms.",
    });
  });

  test("ends its wait when it is told to", async () => {
    const stop = new AbortController();
    const opening = alone({ worldSize: 2, signal: stop.signal }).open();
    stop.abort(new Error("enough"));
    await expect(opening).rejects.toThrow("enough");
  });

  test("of a version without a configuration waits in NCCL itself", async () => {
    withFakeEnv({ FAKE_NCCL_VERSION: "21212" });
    const communicator = await alone().open();
    expect(communicator).toMatchObject({ nonBlocking: false, version: "2.12.12" });
    await communicator.close();
  });

  test("whose other rank does not take part is given up, and closing it does not wait again", async () => {
    const { device, options } = alone({ worldSize: 2, timeoutMs: 5000 });
    const [communicator, silent] = await Promise.all([
      NcclCommunicator.open({ ...options, timeoutMs: 50 }),
      NcclCommunicator.open({ ...options, rank: 1 }),
    ]);
    const buffer = device.memory.allocate(8);
    const { handle } = device.stream;
    await communicator.enqueue("ncclAllReduce", (nccl, comm) =>
      nccl.ncclAllReduce(buffer.address, buffer.address, 2, float, 0, comm, handle),
    );
    using done = device.createEvent();
    device.stream.record(done);
    await expect(communicator.settled("all-reduce", done)).rejects.toMatchObject({
      code: "E_TIMEOUT",
      message: "all-reduce of rank 0 did not finish within 50 ms.",
    });
    await communicator.close();
    await expect(communicator.enqueue("ncclAllReduce", () => 0)).rejects.toThrow("aborted");
    await silent.abort();
  });

  test("that was given up takes no more calls", async () => {
    const communicator = await alone().open();
    await communicator.abort();
    await expect(communicator.enqueue("ncclAllReduce", () => 0)).rejects.toThrow("aborted");
  });
});
