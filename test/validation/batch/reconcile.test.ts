import { describe, expect, test } from "vitest";
import type { ReconcileInput } from "../../../src/validation/batch/reconcile.ts";
import { reconcile } from "../../../src/validation/batch/reconcile.ts";
import { forgetAbsences, nothingSeen, see } from "../../../src/validation/batch/sightings.ts";
import type { ClusterNode, JobView } from "../../../src/validation/clusters/cluster.ts";
import type { OpenRun } from "../../../src/validation/run.ts";

const settings = { pendingTimeoutMs: 1_000, runTimeoutMs: 5_000, resultGraceMs: 200 };
const dayMs = 86_400_000;

function run(known: Partial<OpenRun> = {}): OpenRun {
  const intent = {
    id: "r1",
    cluster: "c",
    node: "n1",
    check: "probe",
    plannedAtMs: 0,
    jobName: "j1",
    purpose: "routine",
    reason: "",
    policy: "stale",
    sku: "",
    rack: "",
    fileSystem: "",
    gpus: 8,
    gpuHours: 1,
    provenance: "simulated",
  } as const;
  return {
    intent,
    submittedAtMs: undefined,
    runningAtMs: undefined,
    cancelling: undefined,
    ...known,
  };
}

function job(phase: JobView["phase"], more: Partial<JobView> = {}): JobView {
  return { name: "j1", runId: "r1", node: "n1", phase, createdAtMs: 0, ...more };
}

const node: ClusterNode = {
  name: "n1",
  sku: "",
  rack: "",
  gpus: 8,
  notFree: [],
  awaitsAcceptance: false,
  cordoned: false,
};

interface Scene extends Partial<ReconcileInput> {
  readonly runs?: readonly OpenRun[];
  readonly jobs?: readonly JobView[];
  readonly nodes?: readonly ClusterNode[];
  /** The calendar, and how long things have been looked at. */
  readonly nowMs?: number;
  readonly lookedForMs?: number;
}

/** Looks twice at the same thing, some time apart, and says what is to be done then. */
function stepsIn(scene: Scene): readonly unknown[] {
  const { runs = [run()], jobs = [], nodes = [node], nowMs = 0, lookedForMs = 0 } = scene;
  const view = { nodes, jobs };
  const acknowledged = scene.acknowledged ?? new Set<string>();
  const look = { open: runs, view, acknowledged, nowMs };
  const first = see(nothingSeen, { ...look, monotonicMs: 0 });
  const sightings = see(first, { ...look, monotonicMs: lookedForMs });
  const steps = reconcile({
    open: runs,
    view,
    sightings,
    monotonicMs: lookedForMs,
    settings,
    acknowledged,
    untried: new Set(),
    cancelAskedMs: new Map(),
    cancelEveryMs: 100,
    submits: true,
    cancelAll: undefined,
    ...scene,
  });
  return steps.map((step) => {
    if (step.kind === "note") return `note ${step.phase}`;
    if (step.kind === "cancel") return `cancel as ${step.outcome}`;
    return step.kind === "conclude" ? `conclude ${step.outcome}` : step.kind;
  });
}

describe("a run that nobody knows to be submitted", () => {
  test("is submitted again while it is young and its node is free", () => {
    expect(stepsIn({})).toEqual(["submit"]);
  });

  test("is not submitted on a node that users took, nor while nothing may be", () => {
    const busy = { ...node, notFree: [{ code: "busy", text: "" }] } as const;
    expect(stepsIn({ nodes: [busy] })).toEqual([]);
    expect(stepsIn({ submits: false })).toEqual([]);
  });

  test("is given up when it has become old, by the calendar or by the stopwatch", () => {
    expect(stepsIn({ nowMs: 1_001 })).toEqual(["cancel as error"]);
    expect(stepsIn({ lookedForMs: 1_001 })).toEqual(["cancel as error"]);
  });

  test("is adopted when its job shows up", () => {
    expect(stepsIn({ jobs: [job("pending")] })).toEqual(["note submitted"]);
    expect(stepsIn({ jobs: [job("running")] })).toEqual(["note submitted", "note running"]);
  });

  test("that is cancelled waits until no attempt can land any more, and ends its job only then", () => {
    const cancelling = { atMs: 0, reason: "", outcome: "error" } as const;
    expect(stepsIn({ runs: [run({ cancelling })], lookedForMs: 100 })).toEqual([]);
    const landed = run({ cancelling, submittedAtMs: 50 });
    const early = { runs: [landed], jobs: [job("pending")], lookedForMs: 100 };
    expect(stepsIn(early)).toEqual([]);
    expect(stepsIn({ ...early, lookedForMs: 200 })).toEqual(["cancel-again"]);
  });
});

describe("a run that was submitted", () => {
  const submitted = [run({ submittedAtMs: 0 })];
  const running = [run({ submittedAtMs: 0, runningAtMs: 0 })];

  test("is never submitted again; if its job stays away the grace decides", () => {
    expect(stepsIn({ runs: submitted, lookedForMs: 199 })).toEqual([]);
    expect(stepsIn({ runs: submitted, lookedForMs: 200 })).toEqual(["conclude error"]);
    expect(stepsIn({ acknowledged: new Set(["r1"]) })).toEqual([]);
  });

  test("times out when it does not begin, or does not end", () => {
    const pending = { runs: submitted, jobs: [job("pending")] };
    expect(stepsIn({ ...pending, lookedForMs: 1_000 })).toEqual([]);
    expect(stepsIn({ ...pending, lookedForMs: 1_001 })).toEqual(["cancel as timeout"]);
    const endless = { runs: running, jobs: [job("running", { startedAtMs: 0 })] };
    expect(stepsIn({ ...endless, lookedForMs: 5_200 })).toEqual([]);
    expect(stepsIn({ ...endless, lookedForMs: 5_201 })).toEqual(["cancel as timeout"]);
  });

  test("is not cancelled because a clock jumped, in either direction", () => {
    const healthy = { runs: running, jobs: [job("running", { startedAtMs: 0 })] };
    for (const nowMs of [dayMs, -dayMs]) {
      expect(stepsIn({ ...healthy, nowMs, lookedForMs: 2_000 })).toEqual([]);
    }
    // Half of the time must pass before our eyes; a restarted loop still ends what hangs.
    expect(stepsIn({ ...healthy, nowMs: dayMs, lookedForMs: 2_700 })).toEqual([
      "cancel as timeout",
    ]);
  });

  test("ends as an error when its job ended in silence, after the grace", () => {
    const ended = { runs: running, jobs: [job("failed", { detail: "exit code 137" })] };
    expect(stepsIn({ ...ended, lookedForMs: 199 })).toEqual([]);
    expect(stepsIn({ ...ended, lookedForMs: 200 })).toEqual(["conclude error"]);
  });

  test("ends as cancelled at once when users' work pushed its job out, and not while that runs", () => {
    const preempted = job("failed", { detail: "preempted by users' work", preempted: true });
    expect(stepsIn({ runs: running, jobs: [preempted] })).toEqual(["conclude cancelled"]);
    expect(stepsIn({ runs: running, jobs: [job("failed")] })).toEqual([]);
    const runs = [
      run({ submittedAtMs: 0, cancelling: { atMs: 10, reason: "", outcome: "timeout" } }),
    ];
    expect(stepsIn({ runs, jobs: [preempted] })).toEqual(["cancel-again"]);
  });

  test("ends as cancelled at once when somebody else cancelled its job before it began", () => {
    const detail = "somebody else cancelled it before it began";
    const jobs = [job("failed", { detail, neverBegan: true })];
    expect(stepsIn({ runs: [run({ submittedAtMs: 0 })], jobs })).toEqual(["conclude cancelled"]);
    expect(
      stepsIn({ runs: [run({ submittedAtMs: 0 })], jobs: [job("failed", { detail })] }),
    ).toEqual([]);
  });

  test("ends with its node", () => {
    const scene = { runs: running, jobs: [job("running")], nodes: [] };
    expect(stepsIn({ ...scene, lookedForMs: 199 })).toEqual([]);
    expect(stepsIn({ ...scene, lookedForMs: 200 })).toEqual(["cancel as error"]);
  });

  test("that is cancelled ends when its job is gone, and not before", () => {
    const cancelling = { atMs: 10, reason: "", outcome: "timeout" } as const;
    const runs = [run({ submittedAtMs: 0, cancelling })];
    expect(stepsIn({ runs, jobs: [job("running")] })).toContain("cancel-again");
    const asked = { runs, cancelAskedMs: new Map([["r1", 0]]) };
    expect(stepsIn({ ...asked, jobs: [job("gone")] })).toEqual([]);
    expect(stepsIn(asked)).toEqual(["conclude timeout"]);
  });
});

describe("everything is to end", () => {
  test("what was never tried is concluded, the rest is cancelled", () => {
    const cancelAll = "the end";
    expect(stepsIn({ cancelAll, untried: new Set(["r1"]) })).toEqual(["conclude cancelled"]);
    const running = { runs: [run({ submittedAtMs: 0, runningAtMs: 0 })], jobs: [job("running")] };
    expect(stepsIn({ cancelAll, ...running })).toEqual(["cancel as cancelled"]);
  });
});

describe("a job without an open run", () => {
  test("is ended after the time a pod takes to end by itself", () => {
    const stray = { runs: [], jobs: [job("running")] };
    expect(stepsIn({ ...stray, lookedForMs: 199 })).toEqual([]);
    expect(stepsIn({ ...stray, lookedForMs: 200 })).toEqual(["cancel-stray"]);
  });

  test("is left alone when it has ended", () => {
    expect(stepsIn({ runs: [], jobs: [job("succeeded")], lookedForMs: 9_999 })).toEqual([]);
  });
});

test("while a view is not current nothing is seen to be absent", () => {
  const look = {
    open: [run({ submittedAtMs: 0 })],
    view: { nodes: [], jobs: [] },
    acknowledged: new Set<string>(),
    nowMs: 0,
  };
  const before = see(nothingSeen, { ...look, monotonicMs: 0 });
  const after = see(forgetAbsences(before), { ...look, monotonicMs: 500 });
  expect(after.runs.get("r1")?.sinceMs).toBe(500);
  expect(after.nodesMissing.get("n1")).toBe(500);
});
