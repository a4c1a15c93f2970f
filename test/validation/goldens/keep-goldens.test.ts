import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import {
  findBaseline,
  keepBaselines,
  rejectBaseline,
} from "../../../src/validation/baselines/index.ts";
import { isGoldenBaseline, keepGoldens } from "../../../src/validation/goldens/index.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import { createRunJudge } from "../../../src/validation/judge/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { dayMs, run, startMs } from "../judge/records.ts";
import { answers, fleetWith, software } from "./support.ts";

const nowMs = startMs + 5 * dayMs;
const same = (count: number, digest = "a") => Array.from({ length: count }, () => digest);

describe("goldens in the store", () => {
  let history: History;
  beforeEach(async () => {
    const url = `sqlite:${join(await tempDir(), "t.db")}`;
    const store = await openStore({ url, clock: new VirtualClock() });
    onTestFinished(() => store.close());
    history = openHistory(store);
  });

  async function add(runs: readonly RunRecord[]): Promise<void> {
    await history.recordRuns(
      runs.flatMap(({ intent, result, verdict }) => {
        if (result === undefined) return [];
        const { origin, ...rest } = result;
        return [{ intent, result: rest, origin, ...(verdict === undefined ? {} : { verdict }) }];
      }),
    );
  }

  const keep = (atMs = nowMs) => keepGoldens(history, { cluster: "prod", nowMs: atMs });

  async function judged(record: RunRecord) {
    const settings = {
      compareDays: 30,
      guard: { retestAfterMs: 600_000 },
      checks: [{ name: "dl-unit" }],
    } as unknown as Parameters<typeof createRunJudge>[0]["settings"];
    const judge = createRunJudge({ history, cluster: "prod", settings });
    const { verdicts } = await judge.judge({ newRuns: [record], nowMs });
    return verdicts.find(({ runId }) => runId === record.intent.id);
  }

  const newRun = (digest: string, softwareKey = software) =>
    run({
      node: "n3",
      check: "dl-unit",
      atMs: nowMs,
      result: { facts: answers(digest, { softwareKey }) },
    });

  it("are frozen once, with who agreed, and stay when the fleet changes its mind", async () => {
    await add(fleetWith(same(8)));
    const [id = ""] = await keep();
    const baseline = await findBaseline(history, id, "store");
    expect(baseline).toMatchObject({ state: "active", check: "dl-unit", actor: "tessera" });
    expect(baseline.reason).toContain("at least 8 nodes");
    expect(baseline.provenance).toMatchObject({ softwareKey: software, nodes: 8 });
    expect(isGoldenBaseline(baseline)).toBe(true);
    expect(await keep()).toEqual([]);
    await add(fleetWith(same(12, "b"), startMs + 2 * dayMs));
    expect(await keep(nowMs + dayMs)).toEqual([]);
  });

  it("make a run with other bits fail by a hard fact that names both digests", async () => {
    await add(fleetWith(same(8)));
    await keep();
    const verdict = await judged(newRun("b"));
    expect(verdict?.verdict).toBe("fail");
    expect(verdict?.reason).toContain("the digest is b");
    expect(verdict?.reason).toContain("have a");
    expect(verdict?.findings.map(({ rule }) => rule)).toContain("hard-fact");
  });

  it("let pass what has the right bits, and what runs with software not known yet", async () => {
    await add(fleetWith(same(8)));
    await keep();
    expect((await judged(newRun("a")))?.verdict).toBe("pass");
    expect((await judged(newRun("b", "newer software")))?.verdict).toBe("pass");
  });

  it("stay rejected once a person has rejected them, and the run passes again", async () => {
    await add(fleetWith(same(8)));
    const [id = ""] = await keep();
    const baseline = await findBaseline(history, id, "store");
    await rejectBaseline(history, baseline, { actor: "ann", reason: "driver bug", atMs: nowMs });
    expect(await keep(nowMs + 1)).toEqual([]);
    expect((await judged(newRun("b")))?.verdict).toBe("pass");
  });

  it("do not get in the way of baselines of figures", async () => {
    await add(fleetWith(same(10)));
    const frozen = await keep();
    const options = { windowDays: 30, holdOutHours: 0 };
    const kept = await keepBaselines(history, { cluster: "prod", nowMs, options });
    expect(frozen).toHaveLength(1);
    expect(kept).toMatchObject({ expired: [], refused: [] });
    expect(kept.activated).toHaveLength(1);
  });
});
