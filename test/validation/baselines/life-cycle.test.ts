import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/platform/store/index.ts";
import { VirtualClock } from "../../../src/platform/time/virtual-clock.ts";
import {
  activateBaseline,
  expireBaselines,
  findBaseline,
  keepBaselines,
  proposeBaselines,
  rejectBaseline,
} from "../../../src/validation/baselines/index.ts";
import { type History, openHistory } from "../../../src/validation/history/index.ts";
import type { RunRecord } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { dayMs, fleet, startMs } from "../judge/records.ts";

const nowMs = startMs + 5 * dayMs;
const deed = { actor: "ann", reason: "because", atMs: nowMs };

describe("the life of a baseline", () => {
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
        if (result === undefined || verdict === undefined) return [];
        const { origin, ...rest } = result;
        return [{ intent, result: rest, origin, verdict }];
      }),
    );
  }

  async function proposed(level: number, atMs = nowMs) {
    await add(fleet(10, { verdict: {}, level, atMs: atMs - 3 * dayMs }));
    const options = { windowDays: 4 };
    const { candidates } = await proposeBaselines(history, { ...deed, atMs, options });
    const [candidate] = candidates;
    if (candidate === undefined) throw new Error("nothing was learned");
    return candidate;
  }

  const stateOf = async (id: string) => (await findBaseline(history, id, "store")).state;

  it("begins as a candidate, which is kept once however often it is proposed", async () => {
    const first = await proposed(100);
    expect(first).toMatchObject({ state: "candidate", actor: "ann", reason: "because" });
    await proposeBaselines(history, { ...deed, options: { windowDays: 4 } });
    expect(await history.baselines({})).toHaveLength(1);
  });

  it("comes into force and supersedes the one before", async () => {
    const first = await proposed(100);
    expect(await activateBaseline(history, first, deed)).toEqual({ superseded: [] });
    const second = await proposed(101, nowMs + 5 * dayMs);
    expect(await activateBaseline(history, second, deed)).toEqual({ superseded: [first.id] });
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(["superseded", "active"]);
  });

  it("is refused when the fleet got worse, and activated by force", async () => {
    await activateBaseline(history, await proposed(100), deed);
    const worse = await proposed(96, nowMs + 5 * dayMs);
    await expect(activateBaseline(history, worse, deed)).rejects.toMatchObject({
      code: "E_BASELINE_REFUSED",
      details: { figure: "speed", movement: expect.closeTo(0.04, 2) as number },
    });
    expect(await stateOf(worse.id)).toBe("candidate");
    await activateBaseline(history, worse, { ...deed, force: true });
    expect(await stateOf(worse.id)).toBe("active");
  });

  it("is rejected for good: it can neither be activated nor rejected again", async () => {
    const candidate = await proposed(100);
    await rejectBaseline(history, candidate, deed);
    const rejected = await findBaseline(history, candidate.id, "store");
    await expect(activateBaseline(history, rejected, deed)).rejects.toMatchObject({
      code: "E_BASELINE_STATE",
    });
    await expect(rejectBaseline(history, rejected, deed)).rejects.toMatchObject({
      code: "E_BASELINE_STATE",
    });
  });

  it("expires, in its own cluster's time only", async () => {
    const candidate = await proposed(100);
    const atMs = nowMs + 91 * dayMs;
    expect(await expireBaselines(history, { cluster: "lab", atMs })).toEqual([]);
    expect(await expireBaselines(history, { cluster: "prod", atMs: nowMs })).toEqual([]);
    expect(await expireBaselines(history, { cluster: "prod", atMs })).toEqual([candidate.id]);
    expect(await stateOf(candidate.id)).toBe("expired");
  });

  it("is found by a beginning that no other shares", async () => {
    const { id } = await proposed(100);
    expect((await findBaseline(history, id.slice(0, 7), "store")).id).toBe(id);
    for (const wrong of ["bl-", "bl-ffffffffffff", ""]) {
      await expect(findBaseline(history, wrong, "store")).rejects.toMatchObject({
        code: "E_BASELINE_UNKNOWN",
      });
    }
  });

  it("is kept fresh without a person, but never downhill", async () => {
    await add(fleet(10, { verdict: {}, atMs: nowMs - 3 * dayMs }));
    const first = await keepBaselines(history, { cluster: "prod", nowMs });
    expect(first).toMatchObject({ activated: [expect.any(String)], refused: [] });
    expect(await keepBaselines(history, { cluster: "prod", nowMs })).toMatchObject({
      activated: [],
    });

    const monthLater = nowMs + 40 * dayMs;
    await add(fleet(10, { verdict: {}, level: 95, atMs: monthLater - 3 * dayMs }));
    const second = await keepBaselines(history, { cluster: "prod", nowMs: monthLater });
    expect(second.activated).toEqual([]);
    expect(second.refused).toMatchObject([{ reason: expect.stringContaining("worse") as string }]);
    expect(await stateOf(first.activated[0] ?? "")).toBe("active");
    expect(await stateOf(second.refused[0]?.id ?? "")).toBe("candidate");
  });
});
