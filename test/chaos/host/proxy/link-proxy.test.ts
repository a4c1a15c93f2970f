import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LinkEffect, MessageRule } from "../../../../src/chaos/host/proxy/link-effect.ts";
import { LinkProxy } from "../../../../src/chaos/host/proxy/link-proxy.ts";
import { type Clock, createRealClock, VirtualClock } from "../../../../src/platform/time/index.ts";
import { writeHead } from "../../../../src/runtime/ranks/transports/tcp/frame-head.ts";
import { encodeFrame } from "../../../../src/runtime/ranks/wire/frames.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const host = "127.0.0.1";
const bothWays = [
  { from: 0, to: 1 },
  { from: 1, to: 0 },
];

/** Slot 0 sends, slot 1 dials and receives, as ranks do. */
async function pair(clock: Clock = createRealClock()) {
  const hits: string[] = [];
  const proxy = await LinkProxy.open({
    clock,
    seed: "1",
    slots: 2,
    host,
    onHit: (injection, what) => hits.push(`${injection}: ${what}`),
  });
  const senders: Socket[] = [];
  const server = createServer((socket) => senders.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  const { port } = server.address() as { port: number };
  proxy.setTarget(0, `${host}:${port}`);
  const dial = async () => {
    const receiver = connect({ host, port: proxy.portFor(1, 0) });
    const got: Buffer[] = [];
    receiver.on("data", (chunk) => got.push(chunk)).on("error", () => {});
    const before = senders.length;
    await waitUntil("the sender has its end", () => senders.length > before);
    const sender = senders.at(-1) as Socket;
    return { receiver, sender, text: () => Buffer.concat(got).toString("latin1") };
  };
  return { proxy, hits, ...(await dial()), dial };
}

function message(operation: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([writeHead({ operation, sizeBytes: bytes.length }), bytes]);
}
const handshake = Buffer.concat([encodeFrame("greeting"), encodeFrame("welcome")]);
const rule = (about: Partial<MessageRule>): LinkEffect => ({
  kind: "messages",
  rule: { action: "drop", count: 1, share: 1, delayUs: 0, ...about },
});

describe("the proxy between workers", () => {
  it("hands on what is sent, both ways, and counts it", async () => {
    const { proxy, sender, receiver, text, hits } = await pair();
    let back = "";
    sender.on("data", (chunk) => {
      back += String(chunk);
    });
    sender.write("forth");
    receiver.write("and back");
    await waitUntil("all is there", () => text() === "forth" && back === "and back");
    expect(proxy.bytesBetween({ from: 0, to: 1 })).toBeGreaterThanOrEqual(5);
    expect(hits).toEqual([]);
  });

  it("holds what is sent across a cut, and hands it on in order when the cut ends", async () => {
    const { proxy, sender, text, hits } = await pair();
    proxy.begin("cut", { kind: "cut" }, bothWays);
    sender.write("one ");
    await waitUntil("the cut was felt", () => hits.length > 0);
    sender.write("two");
    expect(text()).toBe("");
    expect(proxy.inForce()).toHaveLength(2);
    proxy.end("cut");
    await waitUntil("it came", () => text() === "one two");
    expect(proxy.inForce()).toEqual([]);
    expect(hits[0]).toContain("were held");
  });

  it.each<[string, LinkEffect, beforeMs: number]>([
    ["a cut has ended", { kind: "cut" }, 200],
    ["a link came up", { kind: "flap", downUs: 300_000, upUs: 500_000 }, 600],
  ])("hands on when %s only what the sender's kernel sends again", async (_, effect, beforeMs) => {
    const clock = new VirtualClock();
    const { proxy, sender, receiver, text, hits } = await pair(clock);
    let back = 0;
    sender.on("data", (chunk) => {
      back += chunk.length;
    });
    proxy.begin("effect", effect, [{ from: 0, to: 1 }]);
    sender.write("late");
    await waitUntil("it was held", () => hits.length > 0);
    if (effect.kind === "cut") proxy.end("effect");
    await clock.advance(beforeMs);
    // The other way is open: when this has come, the rest would have come as well.
    for (let round = 1; round <= 3; round++) {
      receiver.write("?");
      await waitUntil("the question came", () => back >= round);
    }
    expect(text()).toBe("");
    await clock.advance(60);
    await waitUntil("it came", () => text() === "late");
  });

  it.each<[string, LinkEffect]>([
    // It would be met down after 204, 612 and 1,428 ms as well.
    ["flapping", { kind: "flap", downUs: 190_000, upUs: 14_000 }],
    ["lost", { kind: "loss", share: 0.999999 }],
  ])("hands on what was %s with the first try after the end of it", async (_, effect) => {
    const clock = new VirtualClock();
    const { proxy, sender, text, hits } = await pair(clock);
    proxy.begin("effect", effect, [{ from: 0, to: 1 }]);
    sender.write("late");
    await waitUntil("it was held", () => hits.length > 0);
    await clock.advance(150);
    proxy.end("effect");
    expect(text()).toBe("");
    await clock.advance(60);
    await waitUntil("it came", () => text() === "late");
  });

  it("sends the rest at once when a narrow link is wide again, in order and whole", async () => {
    const clock = new VirtualClock();
    const { proxy, sender, text, hits } = await pair(clock);
    proxy.begin("effect", { kind: "cap", bytesPerSecond: 1000 }, [{ from: 0, to: 1 }]);
    const all = "0123456789".repeat(5000);
    sender.write(all);
    await waitUntil(
      "all of it is held",
      () => proxy.bytesBetween({ from: 0, to: 1 }) === all.length,
    );
    expect(hits).not.toEqual([]);
    // All of it would take 50 s.
    await clock.advance(1000);
    expect(text()).not.toBe(all);
    proxy.end("effect");
    await clock.advance(10);
    await waitUntil("it came", () => text() === all);
  });

  it("lets nobody know of an end while the link is down, and does after that", async () => {
    const clock = new VirtualClock();
    const { proxy, sender, receiver } = await pair(clock);
    let isOver = false;
    let back = 0;
    receiver.on("end", () => {
      isOver = true;
    });
    sender.on("data", (chunk) => {
      back += chunk.length;
    });
    proxy.begin("effect", { kind: "cut" }, [{ from: 0, to: 1 }]);
    sender.end();
    receiver.write("?");
    await waitUntil("the question came", () => back > 0);
    expect(isOver).toBe(false);
    proxy.end("effect");
    await clock.advance(1000);
    await waitUntil("the end came", () => isOver);
  });

  it("cuts one way alone", async () => {
    const { proxy, sender, receiver, text, hits } = await pair();
    let back = "";
    sender.on("data", (chunk) => {
      back += String(chunk);
    });
    proxy.begin("cut", { kind: "cut" }, [{ from: 1, to: 0 }]);
    sender.write("forth");
    receiver.write("and back");
    await waitUntil("one way works", () => text() === "forth" && hits.length > 0);
    expect(back).toBe("");
  });

  it("keeps the end of a connection behind a cut, too", async () => {
    const { proxy, sender, receiver } = await pair();
    let isOver = false;
    let back = 0;
    receiver.on("end", () => {
      isOver = true;
    });
    sender.on("data", (chunk) => {
      back += chunk.length;
    });
    proxy.begin("cut", { kind: "cut" }, [{ from: 0, to: 1 }]);
    sender.end();
    // The other way is open: when this has come, the end would have come as well.
    for (let round = 1; round <= 3; round++) {
      receiver.write("?");
      await waitUntil("the question came", () => back >= round);
    }
    expect(isOver).toBe(false);
    proxy.end("cut");
    await waitUntil("the end came", () => isOver);
  });

  it.each<[string, LinkEffect]>([
    ["later", { kind: "delay", latencyUs: 30_000, jitterUs: 10_000 }],
    ["slower", { kind: "cap", bytesPerSecond: 1_000_000 }],
    ["after it was lost", { kind: "loss", share: 0.3 }],
    ["between two times down", { kind: "flap", downUs: 50_000, upUs: 50_000 }],
    ["over a degraded link", { kind: "slow", factor: 50 }],
  ])("hands everything on %s, whole and in order", async (_, effect) => {
    const { proxy, sender, text, hits } = await pair();
    proxy.begin("effect", effect, bothWays);
    for (let at = 0; at < 5; at++) sender.write(`${at}`.repeat(1000));
    const all = [0, 1, 2, 3, 4].map((at) => `${at}`.repeat(1000)).join("");
    await waitUntil("it came", () => text() === all);
    expect(hits).toHaveLength(1);
  });

  it("takes the messages of an exchange away for as long as the connection lasts", async () => {
    const { proxy, sender, text, hits, dial } = await pair();
    proxy.begin("drop", rule({ count: 1 }), bothWays);
    sender.write(Buffer.concat([handshake, message(1, "gone"), message(2, "behind it")]));
    await waitUntil("it was taken", () => hits.length > 0);
    expect(text()).not.toContain("gone");
    // The job meets anew, and the count is used up.
    proxy.beginAttempt();
    const again = await dial();
    again.sender.write(Buffer.concat([handshake, message(1, "whole again")]));
    await waitUntil("it came", () => again.text().includes("whole again"));
    expect(text()).not.toContain("behind it");
  });

  it("spares exchanges after those that a rule is for", async () => {
    const { proxy, sender, text, hits } = await pair();
    proxy.begin("late", rule({ action: "delay", count: 1, delayUs: 20_000 }), bothWays);
    sender.write(Buffer.concat([handshake, message(1, "first"), message(2, "second")]));
    await waitUntil("all came", () => text().includes("second"));
    expect(hits).toHaveLength(1);
    expect(hits[0]).toContain("exchange 1");
  });

  it("turns away who dials a slot where nobody listens", async () => {
    const { proxy } = await pair();
    const lost = connect({ host, port: proxy.portFor(0, 1) });
    await new Promise<void>((resolve) => {
      lost.on("close", () => resolve()).on("error", () => {});
    });
  });
});
