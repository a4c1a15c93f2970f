import { describe, expect, test } from "vitest";
import { resolveExperiment } from "../../../src/chaos/experiment/index.ts";
import { lintTimeouts, timeoutsByName } from "../../../src/chaos/timeouts/index.ts";
import { experimentOf, killRank, planOf, problemOf, withFault } from "./experiments.ts";

describe("a plan", () => {
  test("has everything filled in", () => {
    expect(withFault({ for: "3s" })).toEqual({
      format: "tessera-chaos-plan/1",
      title: "test",
      seed: "0",
      workload: {
        kind: "training",
        job: expect.objectContaining({ batch: 24, seed: "small" }),
        shape: { dp: 4, tp: 1, pp: 1 },
        steps: 24,
        checkpoint: { everySteps: 8, keep: 3, asynchronous: false },
        policy: {
          onFailure: "drainThenResume",
          restartsMax: 3,
          resumeAfterUs: null,
          onPreempt: { action: "checkpointThenExit", graceUs: 30_000_000 },
          compareEverySteps: 0,
        },
        numerics: "real",
        pace: expect.objectContaining({ computeUs: 1000, repairUs: null }),
      },
      fleet: { nodes: 2, devicesPerNode: 2, nodesPerRack: 8, spareNodes: 0 },
      timeouts: expect.objectContaining({ heartbeatEveryUs: 500_000, heartbeatUs: 2_000_000 }),
      faults: [
        {
          id: "kill_device",
          fault: "kill_device",
          params: {},
          targets: [{ kind: "rank", rank: 1 }],
          trigger: { kind: "step", step: 12 },
          durationUs: 3_000_000,
        },
      ],
      steadyState: [],
      expect: {
        claim: "inside",
        recovery: null,
        within: {
          detect: null,
          isolate: null,
          reform: null,
          load: null,
          first: null,
          regain: null,
          steady: null,
        },
        integrity: "bitwise",
        gates: [],
      },
      limits: { durationUs: 600_000_000, targetsMax: 4, abortWhen: [] },
      defects: [],
    });
  });

  test("is plain JSON", () => {
    const plan = withFault();
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  test("has timeouts that fit together unless the file says others", () => {
    const lint = (plan: ReturnType<typeof planOf>) =>
      lintTimeouts(
        new Map([...timeoutsByName(plan.timeouts), ["preemptGrace", 30_000_000]]),
      ).findings.map(({ rule }) => rule);
    expect(lint(planOf())).toEqual([]);
    expect(lint(planOf({ timeouts: { heartbeat: "8s" } }))).toContain("silence-before-complaint");
  });

  test("takes the seed of the command line, else that of the file, else 0", () => {
    const experiment = experimentOf({ seed: 7 });
    expect(resolveExperiment(experiment, { seed: "9" }).seed).toBe("9");
    expect(resolveExperiment(experiment).seed).toBe("7");
    expect(planOf().seed).toBe("0");
  });

  test("completes the parameters of a fault, and refuses those that it does not have", () => {
    const plan = withFault({ fault: "network_latency", params: { latency: "20ms" } });
    expect(plan.faults[0]?.params).toEqual({ latencyUs: 20_000, jitterUs: 0 });
    const problem = problemOf(() => withFault({ fault: "network_latency", params: { late: 1 } }));
    expect(problem).toMatch(/^E_FAULT_INVALID .*no parameter late/);
  });

  test("proves bits where the job trains for real, and does not ask for them elsewhere", () => {
    const integrity = (given: Parameters<typeof planOf>[0]) => planOf(given).expect.integrity;
    expect(integrity({})).toBe("bitwise");
    expect(integrity({ training: { numerics: "timing" } })).toBe("none");
    expect(integrity({ workload: { kind: "pods", namespace: "a", selector: "b=c" } })).toBe("none");
  });
});

describe("an experiment cannot be planned", () => {
  test.each([
    [
      "on too few nodes",
      { fleet: { nodes: 1, devicesPerNode: 2 } },
      /4 ranks need 2 nodes, and 1 nodes of 2 devices/,
    ],
    [
      "with a batch that does not divide",
      { training: { mesh: { dp: 5 } } },
      /cannot be cut like this/,
    ],
    [
      "with a preset and a model",
      { training: { preset: "small", model: { kind: "mlp", inputs: 1, hidden: [], outputs: 2 } } },
      /give one of them/,
    ],
    [
      "with a model and no optimizer",
      { training: { model: { kind: "mlp", inputs: 1, hidden: [], outputs: 2 } } },
      /needs an optimizer/,
    ],
    [
      "with two faults of one id",
      { faults: [killRank(0, { id: "a" }), killRank(1, { id: "a" })] },
      /two faults have the id a/,
    ],
    [
      "when it hits more at once than it may",
      { faults: [killRank(0), killRank(1)], limits: { targets: 1 } },
      /2 ranks, pods or nodes at once, and limits\.targets allows 1/,
    ],
  ] as const)("%s", (_, given, message) => {
    const problem = problemOf(() => planOf(given as Parameters<typeof planOf>[0]));
    expect(problem).toMatch(/^E_PLAN /);
    expect(problem).toMatch(message);
  });

  test("but it may hit as many one after the other", () => {
    const faults = [killRank(0), killRank(1, { at: { step: 13 } })];
    expect(planOf({ faults, limits: { targets: 1 } }).faults).toHaveLength(2);
  });
});
