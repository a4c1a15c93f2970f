import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeEvent, heartbeatText } from "../../../src/platform/http/events/server-event.ts";
import { createEventReader } from "../../../web/src/api/event-stream.ts";

describe("the reader of the event stream", () => {
  it("gives the events the server wrote, wherever the pieces were cut", () => {
    const event = fc.record({
      id: fc.stringMatching(/^[a-z0-9]{1,8}-\d{1,4}$/),
      type: fc.constantFrom("status", "run.changed"),
      data: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(30)), (events, cuts) => {
        let rest = events.map((each) => heartbeatText + encodeEvent(each)).join("");
        const read = createEventReader();
        const found = cuts.flatMap((cut) => {
          const piece = rest.slice(0, cut);
          rest = rest.slice(cut);
          return read(piece);
        });
        const all = [...found, ...read(rest)];
        expect(all).toEqual(
          events.map(({ id, type, data }) => ({ id, type, data: JSON.stringify(data) })),
        );
      }),
    );
  });

  it("gives nothing for heartbeats and for an event that is not whole", () => {
    const read = createEventReader();
    expect(read(heartbeatText)).toEqual([]);
    expect(read("event: status\ndata: {}\n")).toEqual([]);
    expect(read("\n")).toHaveLength(1);
  });
});
