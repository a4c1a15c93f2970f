import { describe, expect, test } from "vitest";
import { claimDeliveries, makeDeliveries } from "../../../src/control/notify/outbox.ts";
import { outboxFigures } from "../../../src/control/notify/outbox-figures.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { describeOnEngines } from "../../platform/store/support/engines.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startReceiver } from "./receiver.ts";
import { clock, conclude, isListening, startNotifier } from "./support.ts";

describe("the outbox", () => {
  describeOnEngines((engine) => {
    test("two processes with a store each send every message once", async () => {
      await using receiver = await startReceiver();
      const url = await engine.newUrl();
      const stores = [await openStore({ url, clock }), await openStore({ url, clock })] as const;
      const target = { name: "hook", kind: "webhook" as const, url: receiver.url };
      const notifiers = stores.map((store, at) =>
        startNotifier(store, target, { holder: `number ${at}` }),
      );
      try {
        await waitUntil("they listen", () => isListening(stores[0]));
        await conclude(stores[1], { node: "n1", verdict: "fail" }, { node: "n2", verdict: "fail" });
        await waitUntil("both are delivered", async () => {
          return (await outboxFigures(stores[0], "hook")).delivered === 2;
        });
      } finally {
        for (const notifier of notifiers) await notifier[Symbol.asyncDispose]();
      }
      await Promise.all(stores.map((store) => store.close()));
      const nodes = receiver.received.map(({ body }) => JSON.parse(body).items[0].node);
      expect(nodes).toHaveLength(2);
      expect(new Set(nodes)).toEqual(new Set(["n1", "n2"]));
    });

    test("the oldest that waits is found whether a message was made of it or not; none is none", async () => {
      const store = await engine.newStore();
      const oldest = async () => (await outboxFigures(store, "hook")).oldestSinceMs;
      const add = async (id: string, at: number) => {
        const row = { target: "hook", event: "node.failed", document: "{}", id, at };
        await store.db.insertInto("notification_news").values(row).execute();
      };
      expect(await oldest()).toBeUndefined();
      await add("a", 500);
      expect(await oldest()).toBe(500);
      await makeDeliveries(store, "hook", { groupOver: 5, nowMs: 1000 });
      expect(await oldest()).toBe(1000);
      await add("b", 2000);
      expect(await oldest()).toBe(1000);
      await store.db.updateTable("notification_deliveries").set({ state: "delivered" }).execute();
      expect(await oldest()).toBe(2000);
      await store.close();
    });

    test("what one has taken another does not get, even when both ask at once", async () => {
      const store = await engine.newStore();
      const row = { target: "hook", event: "node.failed", at: 1, document: "{}" };
      const rows = ["a", "b", "c"].map((id) => ({ ...row, id }));
      await store.db.insertInto("notification_news").values(rows).execute();
      expect(await makeDeliveries(store, "hook", { groupOver: 5, nowMs: 1000 })).toBe(3);
      const claim = () => claimDeliveries(store, "hook", { nowMs: 1000, leaseMs: 500, limit: 5 });
      const claims = await Promise.all([claim(), claim(), claim()]);
      const ids = claims.flat().map(({ id }) => id);
      expect(ids.toSorted()).toEqual(["hook-a", "hook-b", "hook-c"]);
      await store.close();
    });
  });
});
