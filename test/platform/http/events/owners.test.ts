import { describe, expect, it } from "vitest";
import { EventHub } from "../../../../src/platform/http/events/event-hub.ts";
import { VirtualClock } from "../../../../src/platform/time/virtual-clock.ts";

const heartbeatMs = 1000;

function hubOf(options: { readonly backlogBytesMax?: number } = {}) {
  const clock = new VirtualClock();
  return { clock, hub: new EventHub({ clock, heartbeatMs, ...options }) };
}

describe("streams of one caller", () => {
  const owner = (key: string) => ({ owner: { key, streamsMax: 2 } });

  it("are refused beyond their share, while others still get one", () => {
    const { hub } = hubOf();
    hub.subscribe(owner("one"));
    hub.subscribe(owner("one"));
    expect(() => hub.subscribe(owner("one"))).toThrow(/All 2 event streams of this caller/);
    expect(() => hub.subscribe(owner("other"))).not.toThrow();
    hub.close();
  });

  it("make place when they end", async () => {
    const { hub } = hubOf();
    const first = hub.subscribe(owner("one"));
    hub.subscribe(owner("one"));
    await first.cancel();
    expect(() => hub.subscribe(owner("one"))).not.toThrow();
    hub.close();
  });
});

describe("a stream whose token", () => {
  it("is revoked ends at the next sign of life, and one whose token is good does not", async () => {
    const { hub, clock } = hubOf();
    let isGood = true;
    hub.subscribe({ isStillGood: async () => isGood });
    hub.subscribe({ isStillGood: async () => true });
    await clock.advance(heartbeatMs);
    expect(hub.subscriberCount).toBe(2);
    isGood = false;
    await clock.advance(heartbeatMs);
    expect(hub.subscriberCount).toBe(1);
    hub.close();
  });

  it("cannot be looked up stays for a while, and not for ever", async () => {
    const { hub, clock } = hubOf();
    hub.subscribe({ isStillGood: () => Promise.reject(new Error("the store is away")) });
    await clock.advance(3 * heartbeatMs);
    expect(hub.subscriberCount).toBe(1);
    await clock.advance(heartbeatMs);
    expect(hub.subscriberCount).toBe(0);
  });
});

describe("many streams", () => {
  it("are asked about one after the other, each once between two signs of life", async () => {
    const { hub, clock } = hubOf();
    const asked: number[] = [];
    for (let at = 0; at < 10; at++) {
      hub.subscribe({
        isStillGood: async () => {
          asked.push(at);
          return true;
        },
      });
    }
    await clock.advance(heartbeatMs);
    expect(asked).toEqual([0]);
    await clock.advance(heartbeatMs / 2);
    expect(asked).toEqual([0, 1, 2, 3, 4, 5]);
    await clock.advance(heartbeatMs / 2 - 1);
    expect(asked).toEqual(Array.from({ length: 10 }, (_, at) => at));
    hub.close();
    await clock.advance(10 * heartbeatMs);
    expect(asked).toHaveLength(10);
  });
});

describe("a reader that comes back", () => {
  const opened = async (hub: EventHub, lastEventId: string) => {
    const { value } = await hub.subscribe({ lastEventId }).getReader().read();
    return new TextDecoder().decode(value);
  };

  it("is asked to begin anew when what it missed is more than may wait for it", async () => {
    const { hub } = hubOf({ backlogBytesMax: 1000 });
    hub.publish("first", 0);
    const text = await opened(hub, "0-0");
    const lastEventId = /^id: (\S+)$/m.exec(text)?.[1] ?? "";
    hub.publish("small", "x");
    expect(await opened(hub, lastEventId)).toContain("event: small");
    for (let count = 0; count < 20; count++) hub.publish("large", "x".repeat(100));
    expect(await opened(hub, lastEventId)).toContain("event: resync");
    hub.close();
  });
});
