import { describe, expect, it } from "vitest";
import { FaultLooks } from "../../../src/control/faults/fault-look.ts";
import type { OpenedFaultApi } from "../../../src/control/faults/open-client.ts";
import { settle } from "../../../src/platform/time/settle.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";

/** A fault API whose answers a test gives; a hanging one gives none. */
function newLooks() {
  const clock = new VirtualClock();
  const asked: { answer(): void; fail(): void }[] = [];
  const list = () =>
    new Promise((resolve, reject) => {
      asked.push({
        answer: () => resolve([]),
        fail: () => reject(new Error("connection refused")),
      });
    });
  const api = { url: "http://faults", client: { list } } as unknown as OpenedFaultApi;
  return { clock, asked, looks: new FaultLooks(api, clock) };
}

/** Looks of an API that answered once and is silent since. */
async function silentSince() {
  const made = newLooks();
  void made.looks.look();
  made.asked[0]?.answer();
  await settle();
  await made.clock.advance(2_000);
  return made;
}

describe("what is known of the faults now", () => {
  it("is what the last look has shown, without waiting for the next", async () => {
    const { looks, asked } = await silentSince();
    expect(await looks.now()).toEqual({ known: true, faults: [] });
    expect(await looks.now()).toEqual({ known: true, faults: [] });
    // The next is under way, and only one.
    expect(asked).toHaveLength(2);
  });

  it("is unknown once the look that hangs has been given up", async () => {
    const { looks, clock } = await silentSince();
    await looks.now();
    await clock.advance(5_000);
    expect(await looks.now()).toMatchObject({ known: false, isFailure: true });
  });

  it("is not known, and no failure yet, while the first look of all is under way", async () => {
    const { looks, clock } = newLooks();
    const first = looks.now();
    await clock.advance(300);
    expect(await first).toMatchObject({ known: false, isFailure: false });
  });

  it("is no failure where no fault API is configured", async () => {
    const looks = new FaultLooks(undefined, new VirtualClock());
    expect(await looks.now()).toMatchObject({ known: false, isFailure: false });
  });
});

describe("a look at the faults", () => {
  it("that is asked for anew begins after the one under way, and is shared", async () => {
    const { looks, asked } = newLooks();
    const first = looks.look();
    const anew = [looks.look({ anew: true }), looks.look({ anew: true }), looks.look()];
    await settle();
    expect(asked).toHaveLength(1);
    asked[0]?.fail();
    expect(await first).toMatchObject({ known: false, reason: "connection refused" });
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.answer();
    expect(await Promise.all(anew)).toEqual(
      Array.from({ length: 3 }, () => ({ known: true, faults: [] })),
    );
  });

  it("that is fresh is not made again, and one that is old is", async () => {
    const { looks, asked, clock } = newLooks();
    void looks.look();
    asked[0]?.answer();
    await settle();
    await clock.advance(999);
    await looks.look();
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    void looks.look();
    expect(asked).toHaveLength(2);
  });
});
