import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { headBytes, writeHead } from "../../../../src/runtime/ranks/transports/tcp/frame-head.ts";
import { runOperation } from "../../../../src/runtime/ranks/transports/tcp/operation.ts";
import type { Schedule } from "../../../../src/runtime/ranks/transports/tcp/schedule.ts";
import { ReceiveLane } from "../../../../src/runtime/ranks/world/receive-lane.ts";
import { SendLane } from "../../../../src/runtime/ranks/world/send-lane.ts";
import type { World } from "../../../../src/runtime/ranks/world/world.ts";
import { clock } from "../support/here.ts";

const count = 4;
const sizeBytes = count * 4;

/** Rank 1 of a ring of three: sends to 2, receives from 0. */
const schedule: Schedule = {
  local: [],
  sends: new Map([[2, [{ buffer: "in", at: 0, count }]]]),
  receives: new Map([[0, [{ at: 0, count, how: "copy", forward: false }]]]),
  next: 2,
  outElements: count,
  answerAt: 0,
};

describe("a rank that has sent all it had to, and still waits for another", () => {
  it("is not disturbed when the one it has sent to leaves", async () => {
    const { lane, near, far } = await laneToNeighbour();
    const { done, aborted, give } = begin(lane);
    await readUntil(far, headBytes + sizeBytes);
    far.destroy();
    await once(near, "close");
    give(Float32Array.of(1, 2, 3, 4));
    await expect(done).resolves.toEqual([1, 2, 3, 4]);
    expect(aborted).toEqual([]);
  });

  it("names one that leaves before it was sent everything", async () => {
    const { lane, near, far } = await laneToNeighbour();
    far.destroy();
    await once(near, "close");
    const { done, aborted } = begin(lane);
    await expect(done).rejects.toThrow("the world is over");
    expect(aborted[0]).toEqual({ rank: 2, problem: "its connection was closed during a sum" });
  });
});

/** Carries the schedule out between a real connection to rank 2 and a rank 0 that the test plays. */
function begin(to: SendLane) {
  const over = new AbortController();
  const from = new ReceiveLane();
  const aborted: { rank: number | undefined; problem: string }[] = [];
  const world = {
    rank: 1,
    worldSize: 3,
    signal: over.signal,
    begin: () => 1,
    links: { receiveFrom: () => Promise.resolve(from), sendTo: () => Promise.resolve(to) },
    abort: (problem: string, rank?: number) => {
      aborted.push({ rank, problem });
      over.abort(new Error("the world is over"));
    },
  } as Partial<World> as World;
  const arrays = () => {
    const elements = new Float32Array(count);
    return { elements, bytes: new Uint8Array(elements.buffer) };
  };
  const out = arrays();
  const buffers = { dtype: "f32", width: 4, own: arrays(), out, received: arrays() } as const;
  const stallMs = 60_000;
  const done = runOperation({ world, clock, what: "a sum", schedule, buffers, stallMs }).then(
    () => [...out.elements],
  );
  const give = (elements: Float32Array) => {
    const bytes = [writeHead({ operation: 1, sizeBytes }), new Uint8Array(elements.buffer)];
    const frame = Buffer.concat(bytes);
    const into = from.buffer();
    into.set(frame);
    from.onRead(frame.length, into);
  };
  return { done, aborted, give };
}

async function laneToNeighbour(): Promise<{ lane: SendLane; near: Socket; far: Socket }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const far = connect(port, "127.0.0.1");
  const [near] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => void far.destroy());
  onTestFinished(() => void near.destroy());
  return { lane: new SendLane(near), near, far };
}

async function readUntil(socket: Socket, bytes: number): Promise<void> {
  let left = bytes;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    left -= (chunk as Buffer).length;
    if (left <= 0) return;
  }
}
