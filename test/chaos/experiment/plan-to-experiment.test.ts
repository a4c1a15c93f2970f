import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ExperimentFile,
  experimentText,
  parseExperiment,
  planToExperiment,
  resolveExperiment,
} from "../../../src/chaos/experiment/index.ts";
import type { ChaosPlan } from "../../../src/chaos/plan/index.ts";
import { type FaultFile, killRank, planOf } from "./experiments.ts";

/** Through the text of a file and back, under another seed. */
function roundTrip(plan: ChaosPlan): ChaosPlan {
  const text = experimentText(planToExperiment(plan), "saved by a test");
  return resolveExperiment(parseExperiment(text, "saved.yaml"));
}

const us = fc.integer({ min: 1, max: 3_600_000_000 }).map((value) => `${value}us`);
const rank = fc.integer({ min: 0, max: 7 });
const step = fc.integer({ min: 1, max: 24 });
const targets: fc.Arbitrary<Partial<FaultFile>> = fc.oneof(
  fc.record({ fault: fc.constant("kill_device" as const), target: rank.map((rank) => ({ rank })) }),
  fc.record({
    fault: fc.constant("fail_node" as const),
    target: rank.map((at) => ({ node: at % 4 })),
  }),
  fc.record({
    fault: fc.constant("partition" as const),
    target: fc.record({
      sides: fc.constantFrom<number[][]>([[0, 1]], [[0], [1, 2]], [[7, 3, 5]]),
      asymmetric: fc.boolean(),
    }),
  }),
  fc.record({
    fault: fc.constant("packet_loss" as const),
    target: fc.constant({ link: { from: 1, to: 0 } }),
  }),
  fc.record({
    fault: fc.constant("drop_collective" as const),
    target: fc.constantFrom("dp" as const, "pp" as const).map((axis) => ({ group: { axis } })),
  }),
  fc.record({
    fault: fc.constant("full_storage" as const),
    target: fc.constant({ storage: true as const }),
  }),
  fc.record({
    fault: fc.constant("hang_device" as const),
    target: fc.constant({ random: { count: 2, of: "ranks" as const } }),
  }),
);
const moments: fc.Arbitrary<FaultFile["at"]> = fc.oneof(
  step.map((step) => ({ step })),
  us.map((time) => ({ time })),
  step.map((nth) => ({ collective: { axis: "dp" as const, nth } })),
  step.map((nth) => ({ checkpoint: { nth, phase: "commit" as const } })),
  step.map((restore) => ({ restore })),
  fc.constant({ probability: { perStep: 0.3 } }),
);
const faults = fc.array(
  fc
    .tuple(targets, moments, fc.option(us, { nil: undefined }))
    .map(([target, at, lasts]): FaultFile => {
      const base = { ...killRank(0), ...target, at };
      return lasts === undefined ? base : { ...base, for: lasts };
    }),
  { maxLength: 6 },
);
const rest: fc.Arbitrary<Partial<ExperimentFile>> = fc.record(
  {
    timeouts: fc.record({ heartbeat: us, drain: us }),
    fleet: fc.constant({ devicesPerNode: 2, nodesPerRack: 3, spareNodes: 2 }),
    claims: fc.constant([{ survives: { nodes: 1 } }]),
    steadyState: fc.constant([
      { throughput: { atLeast: 0.25 } },
      { progress: { within: "7s" } },
      { http: { url: "http://127.0.0.1:9/x" } },
      { command: { run: ["true", "a b"] } },
      {
        kubernetes: { resource: "apps/v1/deployments", name: "x", field: "status.a", is: '== "3"' },
      },
      { promql: { url: "https://p", query: "up", is: "<= -1.5e3" } },
    ]),
    expect: fc.constant({
      within: { first: "3s" },
      gates: ["ettr >= 0.25"],
      recovery: "none" as const,
    }),
    limits: fc.constant({ abortWhen: [{ http: { url: "http://127.0.0.1:9/", status: 503 } }] }),
    defects: fc.constant(["lostUndo" as const]),
  },
  { requiredKeys: ["fleet"] },
);

describe("a plan written as an experiment", () => {
  test("gives the same plan again", () => {
    fc.assert(
      fc.property(faults, rest, fc.nat(), (faults, rest, seed) => {
        const mesh = { dp: 4, pp: 2 };
        const plan = planOf({ ...rest, faults, training: { mesh } }, { seed: String(seed) });
        expect(roundTrip(plan)).toEqual(plan);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [
      "a job of its own",
      {
        training: {
          model: { kind: "mlp", inputs: 2, hidden: [4], outputs: 2 },
          optimizer: { kind: "sgd", learningRate: 0.1 },
          batch: 8,
          microBatches: 2,
          lossScale: { initial: 4 },
          seed: 3,
          policy: { resumeAfter: "3s", compareEvery: 2 },
          pace: { repair: "3m" },
        },
      },
    ],
    ["the transformer", { training: { preset: "transformer", numerics: "timing" } }],
    ["inference", { workload: { kind: "inference", replicas: 3, requests: 100, rate: 12.5 } }],
    [
      "a command",
      {
        workload: {
          kind: "command",
          command: ["python3", "-c", "print('# x')"],
          env: { A: "1" },
          workers: { match: "train" },
          units: 9,
        },
      },
    ],
    ["pods", { workload: { kind: "pods", namespace: "ml", selector: "app=x", progress: true } }],
  ] as const)("gives the same plan again for %s", (_, given) => {
    const plan = planOf(given as unknown as Parameters<typeof planOf>[0]);
    expect(roundTrip(plan)).toEqual(plan);
  });

  test("says in full what a preset said, which may change", () => {
    const { workload } = planToExperiment(planOf());
    expect(workload).toMatchObject({ kind: "training", model: { kind: "mlp" }, batch: 24 });
    expect(workload).not.toHaveProperty("preset");
  });

  test("stands below a comment that people read and the parser does not", () => {
    const text = experimentText(planToExperiment(planOf()), "two\nlines");
    expect(text).toMatch(/^# two\n# lines\ntitle: test\n/);
  });
});
