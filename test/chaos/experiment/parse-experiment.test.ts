import { describe, expect, test } from "vitest";
import { parseExperiment } from "../../../src/chaos/experiment/index.ts";
import { isTesseraError } from "../../../src/platform/errors/index.ts";

const good = `
title: Kill a GPU in the middle of a job
workload:
  kind: training
  preset: small
  mesh: { dp: 4 }
  steps: 24
  checkpoint: { every: 8, keep: 3, asynchronous: false }
  policy: { onFailure: drainThenResume, restarts: 3 }
fleet: { devicesPerNode: 2 }
timeouts: { heartbeat: 2s, collective: 5s }
faults:
  - fault: kill_device
    target: { rank: 1 }
    at: { step: 12 }
    for: 3s
claims: [ { survives: { nodes: 1 } } ]
steadyState: [ { throughput: { atLeast: 0.9, window: 10s } } ]
expect:
  recovery: checkpointRestart
  within: { detect: 5s, first: 30s }
  integrity: bitwise
  gates: [ "throughputStability >= 0.5" ]
limits: { duration: 10m, targets: 2 }
`;

/** The message, and nothing but an E_EXPERIMENT. */
function refusal(text: string): string {
  try {
    parseExperiment(text, "my.yaml");
  } catch (error) {
    if (!isTesseraError(error)) throw error;
    expect(error.code).toBe("E_EXPERIMENT");
    expect(error.exitCode).toBe(2);
    return error.message;
  }
  return "it was accepted";
}

const changed = (from: string | RegExp, to: string) => refusal(good.replace(from, to));

describe("an experiment file", () => {
  test("is read with its units", () => {
    const experiment = parseExperiment(good, "my.yaml");
    expect(experiment.timeouts).toEqual({ heartbeat: 2_000_000, collective: 5_000_000 });
    expect(experiment.faults?.[0]).toEqual({
      fault: "kill_device",
      target: { rank: 1 },
      at: { step: 12 },
      for: 3_000_000,
    });
    expect(experiment.expect?.gates).toEqual([
      { metric: "throughputStability", operator: ">=", bound: 0.5 },
    ]);
    expect(experiment.limits).toEqual({ duration: 600_000_000, targets: 2 });
  });

  test("knows the metrics of gates, and suggests one for a name that it does not know", () => {
    const text = good.replace("throughputStability >=", "throughputStabilty >=");
    expect(refusal(text)).toMatch(
      /`expect.gates\[0\]` names no metric: throughputStabilty \(did you mean `throughputStability`\?\).*\(line 23:12\)/,
    );
  });

  test("keeps microseconds that no larger unit holds", () => {
    const text = good.replace("for: 3s", "for: 1234567us");
    expect(parseExperiment(text, "my.yaml").faults?.[0]?.for).toBe(1_234_567);
  });

  test.each([
    ["text", "is: '== Ready'", { operator: "==", value: "Ready" }],
    ["a number", "is: '>= 3'", { operator: ">=", value: 3 }],
    ["true", "is: '!= true'", { operator: "!=", value: true }],
    ["a number as text", `is: '== "3"'`, { operator: "==", value: "3" }],
  ])("compares with %s", (_, is, expected) => {
    const probe = `steadyState: [ { promql: { url: "http://p:9090", query: up, ${is} } } ]`;
    const { steadyState } = parseExperiment(good.replace(/steadyState: .*/, probe), "my.yaml");
    expect(steadyState?.[0]?.promql?.is).toEqual(expected);
  });
});

describe("an experiment file is refused with file, line, column and what was meant", () => {
  test.each([
    [
      "an unknown key",
      "steps: 24",
      "stesp: 24",
      /unknown key `stesp` in `workload` \(did you mean `steps`\?\) \(line 7:3\)\.$/,
    ],
    [
      "an unknown key at the top",
      "claims:",
      "claim:",
      /unknown key `claim` \(did you mean `claims`\?\) \(line 17:1\)/,
    ],
    [
      "an unknown key of a target",
      "{ rank: 1 }",
      "{ rnk: 1 }",
      /unknown key `rnk` in `faults\[0\]\.target` \(did you mean `rank`\?\) \(line 14:15\)/,
    ],
    [
      "a fault that does not exist",
      "kill_device",
      "kil_device",
      /`faults\[0\]\.fault` must be one of kill_device, .*\(did you mean `kill_device`\?\).* \(line 13:12\)/,
    ],
    [
      "a workload that does not exist",
      "kind: training",
      "kind: trainin",
      /`workload\.kind` must be one of training, inference, command, pods, slurm \(did you mean `training`\?\) \(line 4:9\)/,
    ],
    [
      "a duration without a unit",
      "heartbeat: 2s",
      "heartbeat: 2",
      /`timeouts\.heartbeat` must be a duration with a unit.*got the number 2 \(line 11:24\)/,
    ],
    [
      "a duration of an unknown unit",
      "for: 3s",
      "for: 3 parsecs",
      /`faults\[0\]\.for` must be a duration with a unit/,
    ],
    [
      "a duration of nothing",
      "for: 3s",
      "for: 0s",
      /`faults\[0\]\.for` must be longer than nothing/,
    ],
    [
      "two targets in one",
      "{ rank: 1 }",
      "{ rank: 1, node: 0 }",
      /must name one thing, not `rank` and `node`/,
    ],
    ["no target", "{ rank: 1 }", "{ }", /`faults\[0\]\.target` must name one of rank, ranks/],
    [
      "two moments in one",
      "{ step: 12 }",
      "{ step: 12, restore: 1 }",
      /must name one moment, not `step` and `restore`/,
    ],
    [
      "a rank below 0",
      "{ rank: 1 }",
      "{ rank: -1 }",
      /`faults\[0\]\.target\.rank` must be at least 0, got the number -1/,
    ],
    [
      "a gate without a bound",
      "throughputStability >= 0.5",
      "throughputStability",
      /must be a bound of a metric/,
    ],
    [
      "a claim of two units",
      "{ nodes: 1 }",
      "{ nodes: 1, ranks: 2 }",
      /must be exactly one of ranks, nodes, replicas, racks/,
    ],
    [
      "repetition without a count",
      "for: 3s",
      "every: { steps: 2 }",
      /`faults\[0\]\.every` needs `times`/,
    ],
    ["a count without a distance", "for: 3s", "times: 2", /`faults\[0\]\.times` needs `every`/],
    [
      "a distance in another unit",
      "for: 3s",
      "times: 2\n    every: { time: 1s }",
      /is in time, so `at` must be in time too/,
    ],
    [
      "chance of both kinds",
      "{ step: 12 }",
      "{ probability: { perStep: 1, perSecond: 1 } }",
      /perStep or perSecond, and not both/,
    ],
    [
      "sums that are not exact",
      "preset: small",
      "accumulate: chain",
      /`workload\.accumulate` must be exact/,
    ],
  ])("%s", (_, from, to, message) => {
    const text = changed(from, to);
    expect(text).toMatch(/^my\.yaml is no experiment: /);
    expect(text).toMatch(message);
    expect(text).toMatch(/\(line \d+:\d+[;)]/);
  });

  test("what is wrong comes in the order of lines, and is counted", () => {
    const many = Array.from({ length: 9 }, (_, at) => `wrong${at}: 1`).join("\n");
    expect(refusal(`${good}\n${many}\n`)).toMatch(
      /`wrong0` \(line \d+:1; .*`wrong4`; and 4 more\)/,
    );
  });

  test.each([
    ["nothing", "", /it is empty \(line 1:1\)/],
    ["a list", "- 1", /the file must be a group of keys/],
    ["a tab", "title: x\n\tworkload: 1", /a tab is used to indent|not valid YAML/],
    ["a key given twice", "title: x\ntitle: y", /the key `title` is given twice \(line 2:1\)/],
    ["two documents", "title: x\n---\ntitle: y", /one document/],
    ["brackets without an end", `title: ${"[".repeat(5000)}`, /nested too deeply/],
    ["too much", `title: ${"x".repeat(1024 * 1024)}`, /larger than 1 MiB/],
    ["an unknown tag", "title: !secret x", /not valid YAML/],
  ])("%s", (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test("aliases that expand into thousands of values", () => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const below = at === 0 ? "x" : `*a${at - 1}`;
      return `k${at}: &a${at} [${Array(9).fill(below).join(", ")}]`;
    });
    expect(refusal(levels.join("\n"))).toMatch(/aliases expand into too many values/);
    expect(parseExperiment(good.replace("{ rank: 1 }", "&t { rank: 1 }"), "my.yaml").title).toMatch(
      /Kill/,
    );
  });
});
