import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noteCoverage, readCoverage } from "../../../src/control/fleet/coverage-log.ts";
import { Trend } from "../../../src/control/fleet/trend.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import { tempDir } from "../../support/temp-dir.ts";

const dayMs = 86_400_000;

async function newStore() {
  const clock = new VirtualClock();
  const store = await openStore({ url: `sqlite:${join(await tempDir(), "t.db")}`, clock });
  return { store, clock, [Symbol.asyncDispose]: () => store.close() };
}

describe("how much of a cluster was covered", () => {
  it("is kept for each day, the last look of a day counting, and for a month at most", async () => {
    await using given = await newStore();
    const { store } = given;
    for (let day = 100; day < 140; day++) {
      await noteCoverage(store, "prod", { day, covered: day - 50, nodes: 100 });
    }
    await noteCoverage(store, "prod", { day: 139, covered: 99, nodes: 101 });
    const days = await readCoverage(store, "prod");
    expect(days).toHaveLength(31);
    expect(days.at(-1)).toEqual({ day: 139, covered: 99, nodes: 101 });
    expect(days.at(-2)).toEqual({ day: 138, covered: 88, nodes: 100 });
    expect(await readCoverage(store, "lab")).toEqual([]);
  });

  it("is in the trend on the days that were noted, and unknown on the others", async () => {
    await using given = await newStore();
    const { store, clock } = given;
    await noteCoverage(store, "prod", { day: 118, covered: 7, nodes: 12 });
    await noteCoverage(store, "prod", { day: 120, covered: 1, nodes: 1 });
    const trend = new Trend(store, { cluster: "prod", clock });
    const days = await trend.days({ atMs: 120 * dayMs + 5, covered: 9, nodes: 12 });
    expect(days).toHaveLength(14);
    const shown = days.slice(-3).map(({ covered, nodes }) => ({ covered, nodes }));
    expect(shown).toEqual([
      { covered: 7, nodes: 12 },
      { covered: null, nodes: null },
      { covered: 9, nodes: 12 },
    ]);
    const again = await trend.days({ atMs: 120 * dayMs + 6, covered: 9, nodes: 12 });
    expect(again).toEqual(days);
  });
});
