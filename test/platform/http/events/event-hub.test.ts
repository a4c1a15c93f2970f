import { describe, expect, it, vi } from "vitest";
import { EventHub } from "../../../../src/platform/http/events/event-hub.ts";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";
import { send, startTestServer } from "../support.ts";
import { SseReader } from "./sse.ts";

const deadline = { timeout: 15_000, interval: 5 };

describe("an event stream", () => {
  it("carries what is published while it is open", async () => {
    await using server = await startTestServer();
    server.hub.publish("early", 0);
    using reader = await SseReader.open(server);
    server.hub.publish("tick", { n: 1 });
    server.hub.publish("tock", "line\nbreak");
    await vi.waitFor(() => expect(reader.types).toEqual(["tick", "tock"]), deadline);
    expect(reader.events.map((event) => event.data)).toEqual([{ n: 1 }, "line\nbreak"]);
  });

  it("goes on after the last event a reader has seen", async () => {
    await using server = await startTestServer();
    using first = await SseReader.open(server);
    server.hub.publish("a", 1);
    await vi.waitFor(() => expect(first.events).toHaveLength(1), deadline);
    first[Symbol.dispose]();
    server.hub.publish("b", 2);
    server.hub.publish("c", 3);
    using second = await SseReader.open(server, { lastEventId: first.events[0]?.id ?? "" });
    server.hub.publish("d", 4);
    await vi.waitFor(() => expect(second.types).toEqual(["b", "c", "d"]), deadline);
  });

  it("asks for a fresh start when what was missed is no longer known", async () => {
    await using server = await startTestServer({ hub: { capacity: 2 } });
    using first = await SseReader.open(server);
    server.hub.publish("a", 1);
    await vi.waitFor(() => expect(first.events).toHaveLength(1), deadline);
    for (let n = 0; n < 3; n++) server.hub.publish("b", n);
    const lastEventId = first.events[0]?.id ?? "";
    using lost = await SseReader.open(server, { lastEventId });
    using foreign = await SseReader.open(server, { lastEventId: "otherprocess-1" });
    server.hub.publish("c", 1);
    await vi.waitFor(() => expect(lost.types).toEqual(["resync", "c"]), deadline);
    await vi.waitFor(() => expect(foreign.types).toEqual(["resync", "c"]), deadline);
    // The id of the resync is where the reader stands from now on.
    using again = await SseReader.open(server, { lastEventId: lost.events[0]?.id ?? "" });
    await vi.waitFor(() => expect(again.types).toEqual(["c"]), deadline);
  });

  it("gives signs of life by the clock, and none without readers", async () => {
    const clock = new VirtualClock();
    await using server = await startTestServer({ clock, hub: { heartbeatMs: 1000 } });
    expect(clock.timersPending).toBe(0);
    using reader = await SseReader.open(server);
    await clock.advance(2500);
    await vi.waitFor(() => expect(reader.comments).toBe(2), deadline);
    reader[Symbol.dispose]();
    await vi.waitFor(() => expect(server.hub.subscriberCount).toBe(0), deadline);
    expect(clock.timersPending).toBe(0);
  });

  it("is forgotten when its reader goes away", async () => {
    await using server = await startTestServer();
    const readers = await Promise.all(Array.from({ length: 20 }, () => SseReader.open(server)));
    expect(server.hub.subscriberCount).toBe(20);
    for (const reader of readers) reader[Symbol.dispose]();
    await vi.waitFor(() => expect(server.hub.subscriberCount).toBe(0), deadline);
  });

  it("is not opened by HEAD", async () => {
    await using server = await startTestServer();
    const answer = await send(server, "HEAD", "/api/v1/events");
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(server.hub.subscriberCount).toBe(0);
  });
});

describe("many readers", () => {
  it("all get every event in order", async () => {
    await using server = await startTestServer();
    const readers = await Promise.all(Array.from({ length: 50 }, () => SseReader.open(server)));
    for (let n = 0; n < 100; n++) server.hub.publish("tick", n);
    for (const reader of readers) {
      await vi.waitFor(() => expect(reader.events).toHaveLength(100), deadline);
      expect(reader.events.every((event, at) => event.data === at)).toBe(true);
      reader[Symbol.dispose]();
    }
  });

  it("are not taken beyond the limit, until one leaves", async () => {
    await using server = await startTestServer({ hub: { subscribersMax: 2 } });
    using first = await SseReader.open(server);
    using second = await SseReader.open(server);
    const refused = await send(server, "GET", "/api/v1/events");
    expect(refused.status).toBe(503);
    expect(refused.json["code"]).toBe("E_EVENT_STREAMS_FULL");
    expect(refused.headers["retry-after"]).toBe("5");
    first[Symbol.dispose]();
    await vi.waitFor(() => expect(server.hub.subscriberCount).toBe(1), deadline);
    using third = await SseReader.open(server);
    server.hub.publish("tick", 1);
    await vi.waitFor(
      () => expect([...second.types, ...third.types]).toEqual(["tick", "tick"]),
      deadline,
    );
  });
});

describe("a reader that is too slow", () => {
  it("loses its connection and is counted, and others notice nothing", async () => {
    await using server = await startTestServer({
      hub: { backlogBytesMax: 64 * 1024, capacity: 10 },
    });
    using slow = await SseReader.open(server, { paused: true });
    using quick = await SseReader.open(server);
    const data = "x".repeat(16 * 1024);
    let published = 0;
    // The sockets of both sides hold a few megabytes before anything waits in the hub.
    while (server.hub.subscriberCount === 2 && published < 5000) {
      server.hub.publish("big", data);
      published++;
      await vi.waitFor(() => expect(quick.events).toHaveLength(published), deadline);
    }
    expect(server.hub.subscriberCount).toBe(1);
    expect(await server.metrics.text()).toContain("tessera_http_event_streams_dropped_total 1");
    expect(quick.ended).toBe(false);
    expect(slow.events.length).toBeLessThan(published);
    // What the slow one has not read keeps no connection open: nothing is left to break.
    expect(await server.stop(20_000)).toEqual({ broken: 0 });
  });

  it("is judged by what waits for it", async () => {
    let dropped = 0;
    const hub = new EventHub({
      clock: new VirtualClock(),
      backlogBytesMax: 100,
      onDrop: () => dropped++,
    });
    const stream = hub.subscribe();
    hub.publish("a", 1);
    expect(dropped).toBe(0);
    hub.publish("b", "y".repeat(100));
    expect([dropped, hub.subscriberCount]).toEqual([1, 0]);
    hub.publish("c", 1);
    const texts: string[] = [];
    for await (const chunk of stream) texts.push(new TextDecoder().decode(chunk));
    expect(texts.join("")).toContain("event: a");
    expect(texts.join("")).not.toContain("event: b");
  });
});

describe("stopping", () => {
  it("ends open streams in good order, with a last word", async () => {
    await using server = await startTestServer();
    const readers = await Promise.all(Array.from({ length: 5 }, () => SseReader.open(server)));
    expect(await server.stop(10_000)).toEqual({ broken: 0 });
    for (const reader of readers) {
      await vi.waitFor(() => expect(reader.ended).toBe(true), deadline);
      expect(reader.types).toEqual(["bye"]);
    }
  });

  it("breaks streams that do not read, when the deadline has passed", async () => {
    await using server = await startTestServer({ hub: { backlogBytesMax: 64 * 2 ** 20 } });
    using stuck = await SseReader.open(server, { paused: true });
    // More than the sockets of both sides can hold.
    server.hub.publish("big", "x".repeat(32 * 2 ** 20));
    expect(await server.stop(300)).toEqual({ broken: 1 });
    stuck.resume();
    await vi.waitFor(() => expect(stuck.ended).toBe(true), deadline);
  });

  it("takes no new readers afterwards", () => {
    const hub = new EventHub({ clock: new VirtualClock() });
    hub.close();
    hub.close();
    expect(() => hub.subscribe()).toThrow(
      expect.objectContaining({ code: "E_EVENT_STREAMS_FULL" }),
    );
  });
});
