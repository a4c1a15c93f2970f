import { expect, it } from "vitest";
import { leftIn, runExample, runsFolder } from "./lib/run-example.ts";

it("proves that a killed Python worker comes back from its last save, and says what was lost", async () => {
  const folder = runsFolder();
  const { judgement, record } = await runExample("command/python.yaml", { folder });
  expect(judgement.outcome, judgement.reason).toBe("pass");
  expect(record.injections[0]?.effect).toContain("gone");
  expect(record.stateDigest).toMatch(/^[0-9a-f]{64}$/);
  const [recovery] = judgement.recoveries;
  expect(recovery).toMatchObject({ path: "checkpointRestart", faults: ["restart_worker"] });
  const done = record.events.filter(({ kind }) => kind === "step").length;
  expect(recovery?.stepsLost).toBe(done - 30);
  expect(judgement.metrics.rollbackSuccessRate).toBe(1);
  expect(record.residualFaults).toEqual([]);
  expect(leftIn(folder)).toEqual([]);
});

it("fails a Python job that nobody restarts", async () => {
  const folder = runsFolder();
  const run = await runExample("command/python-must-fail.yaml", { folder });
  const { judgement, record } = run;
  expect(run.baseline?.end).toBe("finished");
  expect(judgement.outcome).toBe("fail");
  expect(judgement.reason).toContain("gave up");
  expect(record).toMatchObject({ end: "gave-up", stateDigest: null, residualFaults: [] });
  expect(leftIn(folder)).toEqual([]);
});

it("sees the frozen worker of examples/chaos/command/train.mjs stand still and go on without a restart", async () => {
  const folder = runsFolder();
  const { judgement, record } = await runExample("command/node.yaml", { folder });
  expect(judgement.outcome, judgement.reason).toBe("pass");
  const [injection] = record.injections;
  expect(injection?.effect).toContain("stopped");
  expect((injection?.revertedUs ?? 0) - (injection?.injectedUs ?? 0)).toBeGreaterThanOrEqual(1e6);
  expect(judgement.recoveries[0]).toMatchObject({ path: "none", stepsLost: 0 });
  expect(leftIn(folder)).toEqual([]);
});
