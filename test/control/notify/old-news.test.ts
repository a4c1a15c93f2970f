import { describe, expect, test } from "vitest";
import { gatherStoredNews } from "../../../src/control/notify/gather-news.ts";
import { makeDeliveries, pruneOutbox } from "../../../src/control/notify/outbox.ts";
import { noteNobody } from "../../../src/control/notify/told-since.ts";
import type { NotificationTarget } from "../../../src/platform/config/sections/notifications.ts";
import { acquireStoreLock, type Store } from "../../../src/platform/store/index.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import { describeOnEngines, type EngineUnderTest } from "../../platform/store/support/engines.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { clock, day, experimentRow, startNotifier } from "./support.ts";

const hook = { name: "hook", kind: "webhook", url: "https://hook.example/" } as const;
const desk = { ...hook, name: "desk" };

/** A store whose time the test moves, and what is read of it for these targets. */
async function newPlace(engine: EngineUnderTest) {
  const store = await engine.newStore();
  const startMs = clock.nowMs();
  let passedMs = 0;
  const nowMs = () => startMs + passedMs;
  const own = { ...clock, nowMs };
  return {
    store,
    nowMs,
    clock: own,
    pass: (byMs: number) => {
      passedMs += byMs;
    },
    gather: async (...targets: readonly NotificationTarget[]) => {
      const request = { name: "notifications", holder: "a test", ttlMs: 30_000, clock: own };
      const lock = await acquireStoreLock(store.db, request);
      if (lock === undefined) throw new Error("nobody else has the lock");
      // A little later each time, as in life.
      passedMs += 10;
      const outbox = { targets, linkBase: undefined, simulated: true };
      await gatherStoredNews(store, { lock, clock: own, outbox });
    },
    close: (...nodes: readonly string[]) => recordClosed(store, nodes, nowMs()),
    failExperiment: async (id: string) => {
      await store.db
        .insertInto("experiments")
        .values(experimentRow(id, "fail", nowMs()))
        .execute();
    },
    told: (target: string) => toldTo(store, target),
  };
}

async function recordClosed(store: Store, nodes: readonly string[], atMs: number): Promise<void> {
  const event = { cluster: "prod", kind: "cordoned", atMs, details: { reason: "gemm." } } as const;
  await openHistory(store).recordNodeEvents(nodes.map((node) => ({ ...event, node })));
}

async function toldTo(store: Store, target: string): Promise<readonly string[]> {
  const rows = await store.db
    .selectFrom("notification_news")
    .select(["document"])
    .where("target", "=", target)
    .orderBy("seq")
    .execute();
  return rows.map(({ document }) => {
    const { node, title } = JSON.parse(document);
    return node ?? title;
  });
}

describe("what is old", () => {
  describeOnEngines((engine) => {
    test("is not told to a target that was named later; what comes after it is", async () => {
      const { store, gather, close, failExperiment, told } = await newPlace(engine);
      await gather(hook);
      await close("n1");
      await failExperiment("e1");
      await gather(hook);
      await close("n2");
      await failExperiment("e2");
      // The first look since both of n2 and e2 happened and the desk was named.
      await gather(hook, desk);
      await close("n3");
      await failExperiment("e3");
      await gather(hook, desk);
      expect(await told("hook")).toEqual(expect.arrayContaining(["n1", "n2", "n3"]));
      expect(await told("desk")).toEqual(["n3", "The experiment e3 failed"]);
      await store.close();
    });

    test("is not told to a target that wants more now; what comes after it is", async () => {
      const { store, gather, close, told } = await newPlace(engine);
      const narrow = { ...hook, events: ["node.failed" as const] };
      await gather(narrow);
      await close("n1");
      await gather(narrow);
      await close("n2");
      await gather(hook);
      expect(await told("hook")).toEqual(["n2"]);
      await store.close();
    });

    test("is not told to a target that was left out for a while, nor told twice to the others", async () => {
      const { store, gather, close, failExperiment, told, pass } = await newPlace(engine);
      await gather(hook, desk);
      await gather(hook);
      pass(day);
      await close("n1");
      await failExperiment("e1");
      pass(day);
      await gather(hook, desk);
      await close("n2");
      await gather(hook, desk);
      expect(await told("hook")).toEqual(["n1", "The experiment e1 failed", "n2"]);
      expect(await told("desk")).toEqual(["n2"]);
      await store.close();
    });

    test("is told to those who were named all the while that nobody looked", async () => {
      const { store, gather, close, failExperiment, told, pass } = await newPlace(engine);
      await gather(hook);
      pass(day);
      await close("n1");
      await failExperiment("e1");
      pass(day);
      await gather(hook);
      expect(await told("hook")).toEqual(["n1", "The experiment e1 failed"]);
      await store.close();
    });

    test("is told to nobody when somebody is named again after nobody was", async () => {
      const { store, gather, close, failExperiment, told, pass, ...place } = await newPlace(engine);
      await gather(hook);
      pass(60_000);
      const off = startNotifier(store, [], place);
      await waitUntil("it was noted", async () => {
        return (
          (await store.db.selectFrom("notification_cursors").select("name").execute()).length === 0
        );
      });
      await off.notifier.stop();
      await close("n1");
      // The time of a cluster that is made up runs ahead of ours.
      await recordClosed(store, ["s1"], place.nowMs() + 400 * day);
      await failExperiment("e1");
      pass(20 * day);
      await gather(hook);
      await close("n2");
      await failExperiment("e2");
      await gather(hook);
      expect(await told("hook")).toEqual(["n2", "The experiment e2 failed"]);
      await store.close();
    });

    test("stays what it is while another process goes on telling somebody", async () => {
      const { store, gather, close, told, ...place } = await newPlace(engine);
      await gather(hook);
      const other = { holder: "another", clock: place.clock };
      expect(await noteNobody(store, other)).toBe(false);
      await close("n1");
      await gather(hook);
      expect(await told("hook")).toEqual(["n1"]);
      place.pass(60_000);
      expect(await noteNobody(store, other)).toBe(true);
      await store.close();
    });

    test("is not told again after it was forgotten that it was; a node closed again is", async () => {
      const { store, gather, close, told, pass, nowMs } = await newPlace(engine);
      await gather(hook);
      await close("n1");
      await gather(hook);
      expect(await told("hook")).toEqual(["n1"]);
      await makeDeliveries(store, "hook", { groupOver: 5, nowMs: nowMs() });
      await store.db
        .updateTable("notification_deliveries")
        .set({ state: "delivered", ended_at: nowMs() })
        .execute();
      pass(31 * day);
      await pruneOutbox(store, "hook", nowMs());
      expect(await told("hook")).toEqual([]);
      await close("n2");
      await gather(hook);
      expect(await told("hook")).toEqual(["n2"]);
      await close("n1");
      await gather(hook);
      expect(await told("hook")).toEqual(["n2", "n1"]);
      await store.close();
    });

    test("is what was before a clock that is set back, not what comes after", async () => {
      const { store, gather, close, told, pass } = await newPlace(engine);
      await gather(hook);
      pass(-day);
      await gather(hook);
      await close("n1");
      await gather(hook);
      expect(await told("hook")).toEqual(["n1"]);
      await store.close();
    });
  });
});
