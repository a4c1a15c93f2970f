import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { plan } from "./support/new-history.ts";
import { fromPod, intentOf, resultOf, verdictOf } from "./support/samples.ts";

const run = promisify(execFile);

const without = missing("sqlite3");
describe.skipIf(without !== "")(`the plain sqlite3 program${without}`, () => {
  test("reads the seed's table while the store is in use, and cannot rewrite what it is made of", async () => {
    const path = join(await tempDir(), "t.db");
    const store = await openStore({ url: `sqlite:${path}`, clock: createRealClock() });
    onTestFinished(() => store.close());
    const history = openHistory(store);
    const intent = intentOf({ node: "001", plannedAtMs: 1_736_367_000_000 });
    await plan(history, intent);
    await history.recordResult(resultOf(intent), fromPod());
    await history.recordVerdicts([verdictOf(intent)]);
    const ask = (sql: string) => run("sqlite3", ["-header", path, sql]);
    const seed = 'select "Node", "Test Name", "Timestamp", "Result" from latest_status';
    expect((await ask(seed)).stdout.trim().split("\n")).toEqual([
      "Node|Test Name|Timestamp|Result",
      "001|dl-unit|1736367000|Pass",
    ]);
    expect((await ask("select count(*) as n from test_runs")).stdout).toBe("n\n1\n");
    await expect(ask("delete from run_verdicts")).rejects.toThrow("append-only");
  });
});
