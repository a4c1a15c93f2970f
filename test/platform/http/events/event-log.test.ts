import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventLog } from "../../../../src/platform/http/events/event-log.ts";
import { encodeEvent } from "../../../../src/platform/http/events/server-event.ts";

describe("the event log", () => {
  it("gives exactly what was missed, or says that something is lost", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (capacity, published, seen) => {
          const log = new EventLog({ epoch: "e", capacity });
          for (let number = 1; number <= published; number++) log.append("tick", number);
          const missed = log.since(`e-${seen}`);
          const reachable = seen <= published && published - seen <= capacity;
          expect(missed.complete).toBe(reachable);
          if (!reachable) return;
          const expected = Array.from({ length: published - seen }, (_, at) => seen + 1 + at);
          expect(missed.events.map((event) => event.data)).toEqual(expected);
        },
      ),
    );
  });

  it("does not take the ids of another process for its own", () => {
    const log = new EventLog({ epoch: "new", capacity: 4 });
    log.append("tick", 1);
    for (const id of ["old-1", "new-2", "new-", "1", "", "new--1", "new-1e3"]) {
      expect(log.since(id)).toEqual({ events: [], complete: false });
    }
    expect(log.since("new-1")).toEqual({ events: [], complete: true });
  });
});

describe("an event on the wire", () => {
  it("is three lines and an empty one, whatever its data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const text = encodeEvent({ id: "e-1", type: "tick", data });
        expect(text.split(/\r\n|\r|\n/)).toHaveLength(5);
        expect(JSON.parse(text.split("\n")[2]?.slice("data: ".length) ?? "")).toEqual(
          JSON.parse(JSON.stringify(data)),
        );
      }),
    );
  });
});
