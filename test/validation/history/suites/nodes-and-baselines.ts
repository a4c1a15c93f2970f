import { describe, expect, test } from "vitest";
import type { Baseline, NodeEvent } from "../../../../src/validation/history/index.ts";
import type { EngineUnderTest } from "../../../platform/store/support/engines.ts";
import { newHistory, ownHistory } from "../support/new-history.ts";

function eventOf(changes: Partial<NodeEvent> & Pick<NodeEvent, "cluster">): NodeEvent {
  return { node: "n1", atMs: 1, kind: "free", details: {}, ...changes };
}

function baselineOf(changes: Partial<Baseline>): Baseline {
  const figure = { higherIsBetter: true, unit: "GB/s", median: 480.25, sigma: 1.5, tail: 470 };
  return {
    id: "b1",
    sku: "h100",
    check: "dl-unit",
    cohort: "",
    madeAtMs: 10,
    expiresAtMs: 99,
    figures: { busbw: { ...figure, nodes: 30, runs: 90 } },
    provenance: { runs: ["r1"], leftOut: { r2: "fail" } },
    ...changes,
  };
}

export function nodesAndBaselinesSuite(engine: EngineUnderTest): void {
  describe("what happened to nodes", () => {
    test("is given back oldest first, the newest when there is more than wanted", async () => {
      const { history, east: cluster } = await newHistory(engine);
      const events = [
        eventOf({ cluster, atMs: 1 }),
        eventOf({ cluster, atMs: 2, kind: "crash", details: { job: "train-7" } }),
        eventOf({ cluster, atMs: 3, kind: "kernel", node: "n2", details: { xid: 79 } }),
      ];
      await history.recordNodeEvents(events.toReversed());
      await history.recordNodeEvents([eventOf({ cluster: "elsewhere", atMs: 4 })]);
      await history.recordNodeEvents([]);
      const found = async (filter: object) => {
        const all = await history.nodeEvents({ cluster, ...filter });
        return all.map(({ atMs }) => atMs);
      };
      expect(await history.nodeEvents({ cluster })).toEqual(events);
      expect(await found({ limit: 2 })).toEqual([2, 3]);
      expect(await found({ node: "n1" })).toEqual([1, 2]);
      expect(await found({ kinds: ["crash", "kernel"] })).toEqual([2, 3]);
      expect(await found({ kinds: [] })).toEqual([]);
      expect(await found({ fromMs: 2, node: "n1" })).toEqual([2]);
    });

    test("told twice happened once, unless the details differ", async () => {
      const { history, east: cluster } = await newHistory(engine);
      const crash = eventOf({ cluster, kind: "crash", details: { job: "a" } });
      await history.recordNodeEvents([crash, crash]);
      await history.recordNodeEvents([crash, { ...crash, details: { job: "b" } }]);
      expect(await history.nodeEvents({ cluster })).toHaveLength(2);
    });

    test("may be more than one statement takes", async () => {
      const { history, east: cluster } = await newHistory(engine);
      const events = Array.from({ length: 1001 }, (_, atMs) => eventOf({ cluster, atMs }));
      await history.recordNodeEvents(events);
      expect(await history.nodeEvents({ cluster })).toEqual(events);
    });
  });

  describe("a baseline", () => {
    const by = { actor: "tessera", reason: "30 nodes agree" };

    test("begins as a candidate and stands where its newest change left it", async () => {
      const { history, store } = await ownHistory(engine);
      const baseline = baselineOf({});
      await history.saveBaseline(baseline, by);
      const [candidate] = await history.baselines({});
      expect(candidate).toEqual({ ...baseline, state: "candidate", changedAtMs: 10, ...by });
      const change = { atMs: 20, actor: "ann", reason: "looks right" };
      await history.changeBaseline("b1", { state: "active", ...change });
      await history.changeBaseline("b1", { state: "expired", ...change, atMs: 15 });
      const [expired] = await history.baselines({ state: "expired" });
      expect(expired).toMatchObject({ id: "b1", changedAtMs: 15, actor: "ann" });
      expect(await history.baselines({ state: "active" })).toEqual([]);
      const changes = await store.db.selectFrom("baseline_changes").select("state").execute();
      expect(changes).toHaveLength(3);
    });

    test("saved twice is saved once", async () => {
      const { history } = await ownHistory(engine);
      await history.saveBaseline(baselineOf({}), by);
      await history.changeBaseline("b1", { state: "rejected", atMs: 11, ...by });
      await history.saveBaseline(baselineOf({ cohort: "other" }), by);
      expect(await history.baselines({})).toMatchObject([{ cohort: "", state: "rejected" }]);
    });

    test("that is not there cannot change", async () => {
      const { history } = await ownHistory(engine);
      const change = history.changeBaseline("b9", { state: "active", atMs: 1, ...by });
      await expect(change).rejects.toThrow("b9");
    });

    test("is found by what it is for, newest first", async () => {
      const { history } = await ownHistory(engine);
      await history.saveBaseline(baselineOf({ id: "old", madeAtMs: 1 }), by);
      await history.saveBaseline(baselineOf({ id: "new", madeAtMs: 2 }), by);
      await history.saveBaseline(baselineOf({ id: "a100", sku: "a100", cohort: "x" }), by);
      const found = async (filter: object) => (await history.baselines(filter)).map(({ id }) => id);
      expect(await found({ sku: "h100", check: "dl-unit", cohort: "" })).toEqual(["new", "old"]);
      expect(await found({ limit: 1 })).toEqual(["a100"]);
      expect(await found({ cohort: "x" })).toEqual(["a100"]);
      expect(await found({ check: "storage-io" })).toEqual([]);
    });
  });
}
