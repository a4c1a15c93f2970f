import { describe, expect, test } from "vitest";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { type BatchOptions, runBatch } from "../../../src/validation/batch/index.ts";
import type { JobRequest } from "../../../src/validation/clusters/cluster.ts";
import { NodeRefusal } from "../../../src/validation/clusters/node-refusal.ts";
import { calm, type Schedule } from "../loop/support/schedule.ts";
import { Simulation } from "../loop/support/simulation.ts";
import { createWorldCluster } from "../loop/support/world-cluster.ts";

/** A batch of one run on every node of a world. */
function batchIn(
  schedule: Schedule,
  more: Partial<BatchOptions> = {},
  beforeSubmit: (request: JobRequest) => void = () => {},
) {
  const simulation = new Simulation(schedule);
  const { world, clock, history } = simulation;
  const cluster = createWorldCluster({
    world,
    clock,
    lagMs: 20,
    lateMs: 100,
    nextFault: () => "none",
    isCut: () => false,
  });
  cluster.start();
  const submit = async (request: JobRequest) => {
    beforeSubmit(request);
    await cluster.submit(request);
  };
  const result = runBatch({
    cluster: { ...cluster, submit },
    history,
    settings: simulation.settings(),
    jobs: { token: (runId) => runId },
    collect: async (runs) => runs.flatMap(({ intent }) => world.files.get(intent.id) ?? []),
    clock,
    leadership: { isLeader: () => true, fence: () => 1 },
    entries: world.nodeViews().map((node) => ({
      node,
      check: "probe",
      purpose: "manual",
      reason: "asked for",
      gpuHours: 1,
      fileSystem: "",
    })),
    ...more,
  });
  return { simulation, result };
}

const byFile = { pendingMs: 50, end: "succeeded", handsIn: ["file"] } as const;

describe("runBatch", () => {
  test("runs every entry, never more at once than allowed, and returns their results", async () => {
    const { simulation, result } = batchIn({
      ...calm,
      nodes: 7,
      inFlightMax: 3,
      fates: [{ ...byFile, runMs: 500 }],
    });
    await simulation.clock.advance(60_000);
    const { runs } = await result;
    expect(runs.map((run) => ("record" in run ? run.record.result?.outcome : run.skipped))).toEqual(
      Array.from({ length: 7 }, () => "completed"),
    );
    expect(simulation.world.activeMax).toBe(3);
  });

  test("fills a place as soon as it is free, and does not wait for the slowest", async () => {
    const { simulation, result } = batchIn({
      ...calm,
      nodes: 6,
      inFlightMax: 2,
      fates: [
        { ...byFile, runMs: 5_500 },
        ...Array.from({ length: 5 }, () => ({ ...byFile, runMs: 300 })),
      ],
    });
    await simulation.clock.advance(5_000);
    // The slow one still runs, and all the others have been through the other place.
    expect(simulation.world.files.size).toBe(5);
    await simulation.clock.advance(20_000);
    expect((await result).runs.every((run) => "record" in run)).toBe(true);
  });

  test("a job that never begins ends as a timeout, one that dies as an error", async () => {
    const { simulation, result } = batchIn({
      ...calm,
      nodes: 2,
      inFlightMax: 2,
      fates: [
        { ...byFile, pendingMs: Infinity, runMs: 0 },
        { ...byFile, runMs: 100, end: "failed", handsIn: [] },
      ],
    });
    await simulation.clock.advance(60_000);
    const { runs } = await result;
    expect(runs.map((run) => ("record" in run ? run.record.result : run.skipped))).toEqual([
      expect.objectContaining({ outcome: "timeout", error: expect.stringContaining("begin") }),
      expect.objectContaining({ outcome: "error", error: expect.stringContaining("no result") }),
    ]);
  });

  test.each([
    ["one node alone, it goes on with the others", true, ["error", "completed", "completed"]],
    ["the cluster, it leaves the others", false, ["error", "skipped", "skipped"]],
  ])("where a job is refused for %s", async (_, isAboutNode, outcomes) => {
    const schedule = { ...calm, nodes: 3, inFlightMax: 1, fates: [{ ...byFile, runMs: 100 }] };
    const problem = "its reservation was refused";
    const cause = isAboutNode ? new NodeRefusal(problem) : new Error(problem);
    const about = { cluster: "world", job: "x", problem };
    const troubles: string[] = [];
    const { simulation, result } = batchIn(
      schedule,
      {
        onEvent: (event) => void (event.type === "trouble" && troubles.push(event.problem)),
      },
      ({ intent }) => {
        if (intent.node === "node-0") throw new TesseraError("E_JOB_REFUSED", about, { cause });
      },
    );
    await simulation.clock.advance(60_000);
    const { runs } = await result;
    expect(runs.map((run) => ("record" in run ? run.record.result?.outcome : "skipped"))).toEqual(
      outcomes,
    );
    expect(troubles).toHaveLength(isAboutNode ? 0 : 1);
  });

  test("cancelled, it ends its jobs, concludes their runs and begins nothing more", async () => {
    const stop = new AbortController();
    const { simulation, result } = batchIn(
      { ...calm, nodes: 4, inFlightMax: 2, fates: [{ ...byFile, runMs: Infinity }] },
      { signal: stop.signal },
    );
    await simulation.clock.advance(1_000);
    stop.abort();
    await simulation.clock.advance(5_000);
    const { runs } = await result;
    expect(runs.map((run) => ("record" in run ? run.record.result?.outcome : "skipped"))).toEqual([
      "cancelled",
      "cancelled",
      "skipped",
      "skipped",
    ]);
    expect(simulation.world.jobViews()).toEqual([]);
  });
});
