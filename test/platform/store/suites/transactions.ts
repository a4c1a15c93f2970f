import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLog } from "../../../../src/platform/store/index.ts";
import type { EngineUnderTest } from "../support/engines.ts";
import { readHalves, writeHalf, writePair } from "../support/pairs.ts";

export function transactionSuite(engine: EngineUnderTest): void {
  const newStore = async () => {
    const store = await engine.newStore();
    onTestFinished(() => store.close());
    return store;
  };

  describe("a transaction", () => {
    test("gives the value of its function and keeps what it wrote", async () => {
      const store = await newStore();
      const value = await store.transaction(async (trx) => {
        await writePair(trx, 1);
        return "done";
      });
      expect(value).toBe("done");
      expect(await readHalves(store.db)).toEqual([1, 1]);
    });

    test("keeps nothing when its function throws, and rejects with that error", async () => {
      const store = await newStore();
      const attempt = store.transaction(async (trx) => {
        await writeHalf(trx, 1, "a");
        throw new Error("changed my mind");
      });
      await expect(attempt).rejects.toThrow("changed my mind");
      expect(await readHalves(store.db)).toEqual([]);
    });

    test("keeps nothing when a statement failed, even if its function went on", async () => {
      const store = await newStore();
      const attempt = store.transaction(async (trx) => {
        await writeHalf(trx, 1, "a");
        await writeHalf(trx, 1, "a").catch(() => undefined);
        return "all is well";
      });
      await expect(attempt).rejects.toThrow(/unique/i);
      expect(await readHalves(store.db)).toEqual([]);
    });

    test("that fails leaves those asked at the same time alone", async () => {
      const store = await newStore();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, pair) =>
          store.transaction(async (trx) => {
            await writePair(trx, pair);
            if (pair % 4 === 1) throw new Error("on purpose");
            if (pair % 4 === 3) await writeHalf(trx, pair, "b");
          }),
        ),
      );
      const kept = outcomes.flatMap(({ status }, pair) => (status === "fulfilled" ? [pair] : []));
      expect(kept).toEqual(Array.from({ length: 20 }, (_, half) => 2 * half));
      expect(await readHalves(store.db)).toEqual(kept.flatMap((pair) => [pair, pair]));
    });

    test("sees its own writes, which no one else sees before it ends", async () => {
      const store = await newStore();
      await store.transaction(async (trx) => {
        await writeHalf(trx, 1, "a");
        expect(await readHalves(trx)).toEqual([1]);
        expect(await readHalves(store.db)).toEqual([]);
      });
      expect(await readHalves(store.db)).toEqual([1]);
    });

    test("behaves as if it ran alone: what it read is still true when it writes", async () => {
      const store = await newStore();
      await store.db.insertInto("meta").values({ key: "count", value: "0" }).execute();
      await Promise.all(
        Array.from({ length: 8 }, () =>
          store.transaction(async (trx) => {
            const meta = trx.selectFrom("meta").select("value").where("key", "=", "count");
            const { value } = await meta.executeTakeFirstOrThrow();
            const next = trx.updateTable("meta").set({ value: String(Number(value) + 1) });
            await next.where("key", "=", "count").execute();
          }),
        ),
      );
      const rows = store.db.selectFrom("meta").select("value").where("key", "=", "count");
      expect(await rows.execute()).toEqual([{ value: "8" }]);
    });

    test("inside another is refused instead of waiting for ever", async () => {
      const store = await newStore();
      const attempt = store.transaction(() => store.transaction((trx) => writePair(trx, 1)));
      await expect(attempt).rejects.toThrow("use its `trx`");
      await store.transaction((trx) => writePair(trx, 2));
      expect(await readHalves(store.db)).toEqual([2, 2]);
    });
  });

  describe("a read", () => {
    test("completes while a write transaction is open", async () => {
      const store = await newStore();
      await store.transaction((trx) => writePair(trx, 1));
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const writing = store.transaction(async (trx) => {
        await writePair(trx, 2);
        await held;
      });
      expect(await readHalves(store.db)).toEqual([1, 1]);
      letGo();
      await writing;
      expect(await readHalves(store.db)).toEqual([1, 1, 2, 2]);
    });

    test("gives times and counts as numbers, and null as null", async () => {
      const store = await newStore();
      await auditLog.append(store.db, { atMs: 1.7e12, actor: "a", action: "b", subject: "c" });
      const rows = await store.db.selectFrom("audit").select(["at", "id"]).execute();
      expect(rows).toEqual([{ at: 1_700_000_000_000, id: 1 }]);
      const count = store.db.selectFrom("audit").select(({ fn }) => fn.countAll().as("n"));
      expect(await count.execute()).toEqual([{ n: 1 }]);
      const nothing = sql<{ gone: null }>`select null as gone`;
      expect((await nothing.execute(store.db)).rows).toEqual([{ gone: null }]);
    });
  });

  describe("closing", () => {
    test("lets the transactions under way finish, and refuses what comes later", async () => {
      const store = await engine.newStore();
      const accepted = Array.from({ length: 30 }, (_, pair) =>
        store.transaction((trx) => writePair(trx, pair)),
      );
      await Promise.all([store.close(), store.close()]);
      expect(
        (await Promise.allSettled(accepted)).every(({ status }) => status === "fulfilled"),
      ).toBe(true);
      await expect(store.transaction((trx) => writePair(trx, 99))).rejects.toThrow();
      await expect(readHalves(store.db)).rejects.toThrow();
    });
  });
}
