import { describe, expect, it } from "vitest";
import { baselineListSchema, baselineProposalSchema } from "../../../src/control/api/baselines.ts";
import { auditLog } from "../../../src/platform/store/index.ts";
import { dayMs, fleet } from "../../validation/judge/records.ts";
import type { TestPlane } from "../support.ts";
import { fleetYaml, planeOf, read, testedFleet } from "./support.ts";

const path = "/api/v1/baselines/propose";
const json = { reason: "a new driver" };

/** Healthy runs of ten nodes of the cluster `prod`, so many days ago. */
async function addRuns(test: TestPlane, { daysAgo, level }: { daysAgo: number; level: number }) {
  const runs = fleet(10, { verdict: {}, level, atMs: test.clock.nowMs() - daysAgo * dayMs });
  await test.plane.validation?.history.recordRuns(
    runs.flatMap(({ intent, result, verdict }) => {
      if (result === undefined || verdict === undefined) return [];
      const { origin, ...rest } = result;
      return [{ intent, result: rest, origin, verdict }];
    }),
  );
}

describe("learning baselines over the API", () => {
  it("keeps candidates, says what was too little, and who asked is in the audit log", async () => {
    await using test = await testedFleet();
    await addRuns(test, { daysAgo: 3, level: 100 });
    const token = await test.tokenOf("operate");
    const answer = await test.call("POST", path, { token, json });
    expect(answer.status).toBe(200);
    const made = baselineProposalSchema.parse(answer.json);
    expect(made).toMatchObject({
      days: 14,
      candidates: [{ cluster: "prod", state: "candidate", actor: "a operate", ...json }],
      activated: [],
      refused: [],
    });
    // All that is known of the other cluster is of today.
    expect(made.unlearned.map(({ cluster }) => cluster)).toContain("made-up");
    expect(made.unlearned[0]?.reason).toContain("0 healthy nodes before the last 24 hours");
    const { baselines } = await read(test, "baselines", baselineListSchema);
    expect(baselines).toEqual(made.candidates);
    const [entry] = await auditLog.list(test.plane.store.db, { action: "baseline.propose" });
    expect(entry).toMatchObject({
      actor: "a operate",
      details: { outcome: "done", about: { ...json, candidates: baselines[0]?.id } },
    });
    const again = await test.call("POST", path, { token, json });
    expect(baselineProposalSchema.parse(again.json).candidates).toEqual(made.candidates);
  });

  it("brings into force what it may when asked to, and says what it may not", async () => {
    await using test = await planeOf(fleetYaml({ speed: 1 }));
    const token = await test.tokenOf("operate");
    const propose = async () => {
      const body = { ...json, activate: true, days: 7, cluster: "prod" };
      const answer = await test.call("POST", path, { token, json: body });
      return baselineProposalSchema.parse(answer.json);
    };
    await addRuns(test, { daysAgo: 3, level: 100 });
    const first = await propose();
    expect(first.activated).toEqual([first.candidates[0]?.id]);
    test.clock.aheadMs = 8 * dayMs;
    await addRuns(test, { daysAgo: 3, level: 95 });
    const second = await propose();
    expect(second.activated).toEqual([]);
    expect(second.refused).toMatchObject([{ id: second.candidates[0]?.id }]);
    expect(second.refused[0]?.reason).toMatch(/the median of speed is [45](\.\d)? % worse/);
  });

  it("learns nothing from nothing, and nothing without the role or a reason", async () => {
    await using test = await planeOf(fleetYaml({ speed: 1 }));
    const token = await test.tokenOf("operate");
    const none = await test.call("POST", path, { token, json: { ...json, cluster: "nowhere" } });
    expect(none.json).toMatchObject({ runs: 0, candidates: [], unlearned: [] });
    const reader = await test.tokenOf("read");
    expect((await test.call("POST", path, { token: reader, json })).status).toBe(403);
    for (const wrong of [{}, { ...json, days: 1 }, { ...json, days: 366 }, { ...json, sku: "x" }]) {
      expect((await test.call("POST", path, { token, json: wrong })).status).toBe(400);
    }
    const { baselines } = await read(test, "baselines", baselineListSchema);
    expect(baselines).toEqual([]);
  });

  it("is busy when many ask at once, and those before are answered", async () => {
    await using test = await testedFleet();
    const token = await test.tokenOf("operate");
    const asked = Array.from({ length: 40 }, () => test.call("POST", path, { token, json }));
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { json: problem } of refused) expect(problem).toMatchObject({ code: "E_BUSY" });
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  });
});
