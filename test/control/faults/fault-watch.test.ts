import { describe, expect, it, onTestFinished } from "vitest";
import { FaultLooks } from "../../../src/control/faults/fault-look.ts";
import { FaultWatch } from "../../../src/control/faults/fault-watch.ts";
import type { OpenedFaultApi } from "../../../src/control/faults/open-client.ts";
import type { FaultView } from "../../../src/hardware/api/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";

const fault = {
  id: "f1",
  run: "r1",
  state: "injected",
  sightings: [],
  left: [],
} as unknown as FaultView;
const seen = { at: "2026-01-01T00:00:08.000Z", by: "nvsentinel", what: "cordon" };

/** A watch of faults that a test changes, and what it told. */
async function watching(first: readonly FaultView[]) {
  const clock = new VirtualClock();
  const told: unknown[] = [];
  let faults = first;
  const client = { list: async () => faults, renew: async () => {} };
  const api = { url: "http://faults", client } as unknown as OpenedFaultApi;
  const context = {
    clock,
    hub: { publish: (event: string, data: unknown) => told.push([event, data]) },
    log: { info: () => {}, warn: () => {} },
    metrics: { set: () => {}, onScrape: () => {} },
  } as unknown as ConstructorParameters<typeof FaultWatch>[0]["context"];
  const watch = new FaultWatch({ context, api, looks: new FaultLooks(api, clock) });
  onTestFinished(() => watch.stop());
  watch.start();
  await clock.advance(0);
  return {
    told,
    /** What is told once the faults are these. */
    async toldOf(now: readonly FaultView[]): Promise<readonly unknown[]> {
      faults = now;
      told.length = 0;
      await clock.advance(31_000);
      return [...told];
    },
  };
}

describe("news of faults", () => {
  it("are a new state, a new sighting, and something that is left, each once", async () => {
    const { told, toldOf } = await watching([fault]);
    expect(told).toEqual([]);
    const news = (state: string) => [["fault.changed", { id: "f1", state }]];
    const sighted = { ...fault, sightings: [seen] };
    expect(await toldOf([sighted])).toEqual(news("injected"));
    const over = { ...sighted, state: "reverted" } as FaultView;
    expect(await toldOf([over])).toEqual(news("reverted"));
    const left = { ...over, left: ["the cordon"] };
    expect(await toldOf([left])).toEqual(news("reverted"));
    expect(await toldOf([left])).toEqual([]);
  });

  it("are nothing while faults stay as they are, or only their leases change", async () => {
    const { toldOf } = await watching([fault]);
    const renewed = { ...fault, expiresAt: "2026-01-01T00:01:00.000Z" };
    expect(await toldOf([renewed])).toEqual([]);
  });
});
