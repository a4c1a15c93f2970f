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
