import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { auditLog, findings, type Store, tokens } from "../../../../src/platform/store/index.ts";
import type { EngineUnderTest } from "../support/engines.ts";

export function repositorySuite(engine: EngineUnderTest): void {
  const newStore = async (): Promise<Store> => {
    const store = await engine.newStore();
    onTestFinished(() => store.close());
    return store;
  };

  describe("the audit log", () => {
    const entry = { atMs: 5, actor: "ann", action: "token.create", subject: "t1" };

    test("gives back what was done, newest first and a page at a time", async () => {
      const { db } = await newStore();
      await auditLog.append(db, { ...entry, details: { role: "read", nested: [1, null, "é"] } });
      await auditLog.append(db, { ...entry, atMs: 6, action: "token.revoke" });
      const [newest, ...rest] = await auditLog.list(db, { limit: 1 });
      expect(newest).toMatchObject({ atMs: 6, action: "token.revoke", details: {} });
      expect(rest).toEqual([]);
      const older = await auditLog.list(db, { beforeId: newest?.id ?? 0 });
      expect(older).toEqual([
        {
          ...entry,
          id: expect.any(Number) as number,
          details: { role: "read", nested: [1, null, "é"] },
        },
      ]);
    });

    test("is part of the transaction it is written in", async () => {
      const store = await newStore();
      const attempt = store.transaction(async (trx) => {
        await auditLog.append(trx, entry);
        throw new Error("it did not happen");
      });
      await expect(attempt).rejects.toThrow("it did not happen");
      expect(await auditLog.list(store.db)).toEqual([]);
    });

    test.each(["update audit set actor = 'eve'", "delete from audit"])(
      "refuses to be rewritten: %s",
      async (statement) => {
        const { db } = await newStore();
        await auditLog.append(db, entry);
        await expect(sql.raw(statement).execute(db)).rejects.toThrow("append-only");
        expect(await auditLog.list(db)).toMatchObject([{ actor: "ann" }]);
      },
    );

    test("lists what one did, in one way, since a time, and nothing else", async () => {
      const { db } = await newStore();
      const deeds = [
        { actor: "ann", action: "token.create", atMs: 1 },
        { actor: "bob", action: "token.create", atMs: 2 },
        { actor: "ann", action: "token.revoke", atMs: 3 },
        { actor: "ann", action: "token.create", atMs: 4 },
      ];
      for (const deed of deeds) await auditLog.append(db, { ...deed, subject: "x" });
      const times = async (page: Parameters<typeof auditLog.list>[1]) =>
        (await auditLog.list(db, page)).map(({ atMs }) => atMs);
      expect(await times({ actor: "ann" })).toEqual([4, 3, 1]);
      expect(await times({ actor: "ann", action: "token.create" })).toEqual([4, 1]);
      expect(await times({ sinceMs: 3 })).toEqual([4, 3]);
      expect(await times({ actor: "nobody" })).toEqual([]);
    });
  });

  describe("tokens", () => {
    const token = {
      id: "t1",
      name: "ci",
      role: "operate",
      hash: "ab".repeat(32),
      createdAtMs: 7,
    } as const;

    test("are found by the hash of their secret, with and without an end", async () => {
      const { db } = await newStore();
      const brief = { ...token, id: "t2", hash: "cd".repeat(32), expiresAtMs: 99 };
      await tokens.add(db, token);
      await tokens.add(db, brief);
      expect(await tokens.findByHash(db, token.hash)).toEqual(token);
      expect(await tokens.findByHash(db, brief.hash)).toEqual(brief);
      expect(await tokens.list(db)).toEqual([brief, token]);
    });

    test("come in pages, the newest first, each once", async () => {
      const { db } = await newStore();
      const made = Array.from({ length: 5 }, (_, at) => ({
        ...token,
        id: `t${at}`,
        hash: `${at}`.repeat(64),
        // Two were made at one moment.
        createdAtMs: 10 + Math.floor(at / 2),
      }));
      for (const one of made) await tokens.add(db, one);
      const first = await tokens.list(db, { limit: 3 });
      const rest = await tokens.list(db, { limit: 3, after: first.at(-1) });
      expect([...first, ...rest].map(({ id }) => id)).toEqual(["t4", "t3", "t2", "t1", "t0"]);
    });

    test("that have long been over are forgotten, those that are good or over only now are not", async () => {
      const { db } = await newStore();
      const other = (id: string, more: object) => ({ ...token, id, hash: id.repeat(32), ...more });
      await tokens.add(db, token);
      await tokens.add(db, other("t2", { expiresAtMs: 99 }));
      await tokens.add(db, other("t3", { expiresAtMs: 100 }));
      await tokens.add(db, other("t4", {}));
      await tokens.revoke(db, { id: "t4", atMs: 50 });
      await tokens.forgetOver(db, 100);
      expect((await tokens.list(db)).map(({ id }) => id)).toEqual(["t3", "t1"]);
      expect(await tokens.findById(db, "t4")).toBeUndefined();
    });

    test("of a role are good until they are over or revoked", async () => {
      const { db } = await newStore();
      const good = (atMs: number) => tokens.hasGood(db, { role: "operate", atMs });
      expect(await good(1)).toBe(false);
      await tokens.add(db, { ...token, expiresAtMs: 99 });
      expect([await good(98), await good(99)]).toEqual([true, false]);
      expect(await tokens.hasGood(db, { role: "admin", atMs: 1 })).toBe(false);
      await tokens.revoke(db, { id: "t1", atMs: 8 });
      expect(await good(9)).toBe(false);
    });

    test("that no one made are not found", async () => {
      const { db } = await newStore();
      expect(await tokens.findByHash(db, token.hash)).toBeUndefined();
    });

    test("are revoked once, and remembered", async () => {
      const { db } = await newStore();
      await tokens.add(db, token);
      expect(await tokens.revoke(db, { id: "t1", atMs: 8 })).toBe(true);
      expect(await tokens.revoke(db, { id: "t1", atMs: 9 })).toBe(false);
      expect(await tokens.revoke(db, { id: "other", atMs: 9 })).toBe(false);
      expect(await tokens.findByHash(db, token.hash)).toEqual({ ...token, revokedAtMs: 8 });
    });

    test("with a known id or an unknown role are refused", async () => {
      const { db } = await newStore();
      await tokens.add(db, token);
      await expect(tokens.add(db, { ...token, hash: "ef" })).rejects.toThrow(/unique/i);
      const stranger = sql`insert into tokens (id, name, role, hash, created_at) values ('t3', 'x', 'root', 'h', 1)`;
      await expect(stranger.execute(db)).rejects.toThrow(/check/i);
      expect(await tokens.list(db)).toEqual([token]);
    });
  });

  describe("the doctor's findings", () => {
    const fine = { state: "works", reason: "It works.", evidence: { version: "1" } } as const;
    const gone = { state: "missing", reason: "It is gone.", hint: "Install it." } as const;

    test("are kept over time, and the newest of each probe is at hand", async () => {
      const { db } = await newStore();
      await findings.record(db, {
        atMs: 1,
        findings: [
          { probe: "store", finding: fine },
          { probe: "fio", finding: fine },
        ],
      });
      await findings.record(db, { atMs: 2, findings: [{ probe: "fio", finding: gone }] });
      expect(await findings.latest(db)).toMatchObject([
        { probe: "fio", atMs: 2, ...gone, evidence: {} },
        { probe: "store", atMs: 1, ...fine },
      ]);
      const states = (await findings.history(db, "fio")).map(({ state }) => state);
      expect(states).toEqual(["missing", "works"]);
      expect(await findings.history(db, "fio", 1)).toHaveLength(1);
    });

    test("of a visit without findings, or of a probe never asked, are none", async () => {
      const { db } = await newStore();
      await findings.record(db, { atMs: 1, findings: [] });
      expect(await findings.latest(db)).toEqual([]);
      expect(await findings.history(db, "fio")).toEqual([]);
    });
  });
}
