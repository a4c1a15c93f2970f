import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Asked, SqliteConnection } from "../../../../src/platform/store/sqlite/connection.ts";
import { findLibsql } from "../../../../src/platform/store/sqlite/driver.ts";
import {
  GroupCommit,
  type GroupLimits,
} from "../../../../src/platform/store/sqlite/group-commit.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";

interface Rig {
  readonly writer: GroupCommit;
  readonly clock: VirtualClock;
  /** The statements sent so far. */
  readonly sent: string[];
  /** Keeps commits from being sent until it is called. */
  holdCommits(): () => void;
  /** What the table holds, in the order it was written. */
  values(): Promise<unknown[]>;
  readonly path: string;
}

async function setUp(limits: Partial<GroupLimits> = {}): Promise<Rig> {
  const path = join(await tempDir(), "t.db");
  const connection = await connect(path);
  await connection.run({ sql: "pragma journal_mode = wal" });
  await connection.run({ sql: "create table t (x integer unique)" });
  const sent: string[] = [];
  let gate = Promise.resolve();
  const recorder: Asked = {
    ask: async (statement) => {
      if (statement.sql === "commit") await gate;
      sent.push(statement.sql);
      return await connection.ask(statement);
    },
  };
  const clock = new VirtualClock();
  const writer = new GroupCommit({ connection: recorder, clock, shown: "sqlite:t", limits });
  onTestFinished(() => connection.close());
  return {
    writer,
    clock,
    sent,
    path,
    holdCommits: () => {
      let release: () => void = () => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    values: async () => {
      const { rows } = await connection.run({ sql: "select x from t order by rowid" });
      return rows.map((row) => row["x"]);
    },
  };
}

function connect(path: string): Promise<SqliteConnection> {
  const pragmas = ["busy_timeout = 50"];
  return SqliteConnection.open({
    driver: findLibsql("t"),
    path,
    shown: "sqlite:t",
    role: "test",
    pragmas,
  });
}

const insert = (x: number) => ({ sql: "insert into t values (?)", parameters: [x] });
const countOf = (sent: readonly string[], sql: string) =>
  sent.filter((text) => text === sql).length;

async function transact(writer: GroupCommit, ...values: readonly number[]): Promise<void> {
  const transaction = await writer.begin();
  try {
    for (const value of values) await transaction.execute(insert(value));
    await transaction.commit();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

describe("group commit", () => {
  test("lets many who write at once share few commits, in the order they asked", async () => {
    const { writer, sent, values } = await setUp();
    await Promise.all(
      Array.from({ length: 100 }, (_, x) =>
        x % 2 === 0 ? transact(writer, x) : writer.write(insert(x)),
      ),
    );
    expect(await values()).toEqual(Array.from({ length: 100 }, (_, x) => x));
    expect(countOf(sent, "commit")).toBeLessThanOrEqual(3);
  });

  test("acknowledges no one before the commit", async () => {
    const { writer, sent, holdCommits } = await setUp();
    const release = holdCommits();
    const acknowledged: string[] = [];
    const writes = [
      transact(writer, 1).then(() => acknowledged.push("transaction")),
      writer.write(insert(2)).then(() => acknowledged.push("statement")),
    ];
    await waitUntil("the transaction left", () => countOf(sent, "release member") === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(acknowledged).toEqual([]);
    release();
    await Promise.all(writes);
    expect(acknowledged.toSorted()).toEqual(["statement", "transaction"]);
  });

  test("puts no more than its limit into one commit", async () => {
    const { writer, sent } = await setUp({ groupMax: 10 });
    await Promise.all(Array.from({ length: 40 }, (_, x) => writer.write(insert(x))));
    expect(countOf(sent, "commit")).toBeGreaterThanOrEqual(4);
  });

  test("lets no one join a group that has been open for too long", async () => {
    const { writer, clock, sent, values } = await setUp({ groupMsMax: 50 });
    const slow = await writer.begin();
    const waiting = writer.write(insert(2));
    await slow.execute(insert(1));
    await clock.advance(60);
    await slow.commit();
    await waiting;
    expect(countOf(sent, "commit")).toBe(2);
    expect(await values()).toEqual([1, 2]);
  });

  test("undoes a failed statement alone", async () => {
    const { writer, sent, values } = await setUp();
    const outcomes = await Promise.allSettled([1, 1, 2].map((x) => writer.write(insert(x))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(countOf(sent, "commit")).toBe(1);
    expect(await values()).toEqual([1, 2]);
  });

  test("acknowledges none of a group that SQLite undid, and goes on with the next", async () => {
    const { writer, values } = await setUp();
    const fatal = { sql: "insert or rollback into t values (1)" };
    const outcomes = await Promise.allSettled([
      transact(writer, 1),
      writer.write(insert(2)),
      writer.write(fatal),
      writer.write(insert(3)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "rejected"));
    expect(await values()).toEqual([]);
    await transact(writer, 4);
    expect(await values()).toEqual([4]);
  });

  test("undoes a transaction that leaves its turn unused, and lets the others go on", async () => {
    const { writer, clock, values } = await setUp({ idleMsMax: 1000 });
    const forgotten = await writer.begin();
    await forgotten.execute(insert(1));
    const other = transact(writer, 2);
    await clock.advance(1000);
    await other;
    expect(await values()).toEqual([2]);
    const busy = {
      code: "E_STORE_BUSY",
      message: expect.stringContaining("did nothing for 1 s") as string,
    };
    await expect(forgotten.execute(insert(3))).rejects.toMatchObject(busy);
    await expect(forgotten.commit()).rejects.toMatchObject(busy);
    await forgotten.rollback();
  });

  test("gives a transaction that keeps asking all the time it needs", async () => {
    const { writer, clock, values } = await setUp({ idleMsMax: 1000 });
    const busy = await writer.begin();
    for (let x = 0; x < 5; x += 1) {
      await busy.execute(insert(x));
      await clock.advance(900);
    }
    await busy.commit();
    expect(await values()).toEqual([0, 1, 2, 3, 4]);
    expect(clock.timersPending).toBe(0);
  });

  test("refuses more writes than may wait, and keeps those it took", async () => {
    const { writer, values } = await setUp({ queueMax: 3 });
    const held = await writer.begin();
    const waiting = [1, 2, 3].map((x) => writer.write(insert(x)));
    await expect(writer.write(insert(4))).rejects.toMatchObject({ code: "E_STORE_BUSY" });
    await held.commit();
    await Promise.all(waiting);
    expect(await values()).toEqual([1, 2, 3]);
  });

  test("finishes what it took when it is closed, and takes nothing more", async () => {
    const { writer, values } = await setUp();
    const taken = [1, 2, 3].map((x) => transact(writer, x));
    await writer.close();
    await expect(writer.write(insert(4))).rejects.toMatchObject({ code: "E_STORE_UNUSABLE" });
    await Promise.all(taken);
    expect(await values()).toEqual([1, 2, 3]);
  });

  test("says that the store is busy when another process keeps it locked", async () => {
    const { writer, values, path } = await setUp();
    const other = await connect(path);
    await other.run({ sql: "begin immediate", control: true });
    const outcomes = await Promise.allSettled([transact(writer, 1), writer.write(insert(2))]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: "E_STORE_BUSY" } });
    }
    await other.run({ sql: "rollback", control: true });
    await other.close();
    await transact(writer, 3);
    expect(await values()).toEqual([3]);
  });
});
