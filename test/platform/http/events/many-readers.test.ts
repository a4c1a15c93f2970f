import { describe, expect, it } from "vitest";
import { waitUntil } from "../../../support/wait-until.ts";
import { startTestServer } from "../support.ts";
import { SseReader } from "./sse.ts";

const readersMax = 300;

describe("three hundred readers at once", { timeout: 120_000 }, () => {
  it("all get every event in order, and none is dropped", async () => {
    await using server = await startTestServer();
    const readers = await Promise.all(
      Array.from({ length: readersMax }, () => SseReader.open(server)),
    );
    try {
      expect(server.hub.subscriberCount).toBe(readersMax);
      const count = 40;
      for (let at = 0; at < count; at++) server.hub.publish("tick", { at, pad: "x".repeat(500) });
      await waitUntil("every reader has every event", () =>
        readers.every(({ events }) => events.length === count),
      );
      const expected = Array.from({ length: count }, (_, at) => at);
      for (const { events } of readers) {
        expect(events.map(({ data }) => (data as { at: number }).at)).toEqual(expected);
      }
      expect(await server.metrics.text()).not.toContain(
        "tessera_http_event_streams_dropped_total 1",
      );
    } finally {
      for (const reader of readers) reader[Symbol.dispose]();
    }
    await waitUntil("the streams are gone", () => server.hub.subscriberCount === 0);
  });

  it("of whom one does not read lose nothing to it", async () => {
    await using server = await startTestServer({ hub: { backlogBytesMax: 64 * 1024 } });
    const readers = await Promise.all(Array.from({ length: 50 }, () => SseReader.open(server)));
    const sleeper = await SseReader.open(server, { paused: true });
    try {
      let sent = 0;
      const isDropped = async () => {
        server.hub.publish("tick", { at: sent++, pad: "x".repeat(32 * 1024) });
        await waitUntil("the others have it", () =>
          readers.every(({ events }) => events.length === sent),
        );
        return server.hub.subscriberCount === readers.length;
      };
      // The sockets of both sides hold megabytes before anything waits in the hub.
      await waitUntil("the sleeper was dropped", isDropped, { timeoutMs: 110_000 });
      expect(readers.every(({ ended }) => !ended)).toBe(true);
    } finally {
      for (const reader of [...readers, sleeper]) reader[Symbol.dispose]();
    }
  });
});
