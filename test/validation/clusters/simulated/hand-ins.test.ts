import { describe, expect, it } from "vitest";
import { dayMs, hourMs, minuteMs, quiet, requestFor, startCluster } from "./drive.ts";

const noTrouble = quiet.podTrouble;

/** What one run hands in under some trouble. */
async function handInsOf(
  trouble: Partial<Record<keyof typeof noTrouble, number>>,
  overrides: { readonly withoutUrl?: boolean; readonly runTimeoutMs?: number } = {},
) {
  const podTrouble = { ...noTrouble, ...trouble };
  const driven = startCluster({ ...quiet, nodes: 2, jobTtlMs: dayMs, podTrouble });
  const { resultUrl, ...request } = requestFor(driven, "sim-0002", "dl-unit");
  await driven.cluster.submit({
    ...request,
    ...(overrides.withoutUrl === true || resultUrl === undefined ? {} : { resultUrl }),
    runTimeoutMs: overrides.runTimeoutMs ?? request.runTimeoutMs,
  });
  await driven.clock.advance(90 * minuteMs);
  const [job] = driven.cluster.view().jobs;
  return { handIns: driven.handIns, job, runId: request.intent.id };
}

describe("the hand-ins of a simulated pod", () => {
  it("are a file and a post of the same result, when it ends", async () => {
    const { handIns, job, runId } = await handInsOf({});
    expect(handIns.map(({ way }) => way)).toEqual(["file", "post"]);
    expect(handIns[0]?.result).toEqual(handIns[1]?.result);
    expect(handIns[0]?.atMs).toBe(handIns[0]?.result.endedAtMs);
    expect(job?.phase).toBe("succeeded");
    expect(handIns[0]?.result).toMatchObject({
      runId,
      outcome: "completed",
      hardFacts: [],
      cohort: "simulated-1",
      facts: { simulated: true },
    });
  });

  it.each([
    ["only the file when the post fails", { postFails: 1 }, ["file"]],
    ["only the post when the file fails", { fileFails: 1 }, ["post"]],
    ["nothing when both fail", { postFails: 1, fileFails: 1 }, []],
  ])("are %s, and the job succeeds all the same", async (_, trouble, ways) => {
    const { handIns, job } = await handInsOf(trouble);
    expect(handIns.map(({ way }) => way)).toEqual(ways);
    expect(job?.phase).toBe("succeeded");
  });

  it("are only a file where there is nowhere to post to", async () => {
    const { handIns } = await handInsOf({}, { withoutUrl: true });
    expect(handIns.map(({ way }) => way)).toEqual(["file"]);
  });

  it("are none when the pod is killed on the way", async () => {
    const { handIns, job } = await handInsOf({ dies: 1 });
    expect(handIns).toEqual([]);
    expect([job?.phase, job?.detail]).toEqual(["failed", "OOMKilled: exit code 137"]);
  });

  it("say timeout when the check hangs, and have no figures", async () => {
    const { handIns, job } = await handInsOf({ hangs: 1 });
    const [first] = handIns;
    expect(first?.result.outcome).toBe("timeout");
    expect(first?.result.figures).toEqual({});
    expect(first?.result.error).toBe("The check gave up after 1h.");
    expect((first?.result.endedAtMs ?? 0) - (first?.result.startedAtMs ?? 0)).toBe(hourMs);
    expect(job?.phase).toBe("failed");
  });

  it("say timeout when the check needs longer than it may", async () => {
    const { handIns } = await handInsOf({}, { runTimeoutMs: 5 * minuteMs });
    expect(handIns[0]?.result.outcome).toBe("timeout");
  });

  it("have a figure for each GPU, with the samples the check takes", async () => {
    const { handIns } = await handInsOf({});
    const figures = handIns[0]?.result.figures ?? {};
    const gpus = Array.from({ length: 8 }, (_, gpu) => `gemm_tflops.gpu${gpu}`);
    expect(Object.keys(figures)).toEqual([...gpus, "step_ms"]);
    for (const name of gpus) {
      expect(figures[name]).toMatchObject({ higherIsBetter: true, unit: "TFLOP/s" });
      expect(figures[name]?.samples).toHaveLength(8);
    }
    expect(figures["step_ms"]).toMatchObject({ higherIsBetter: false, unit: "ms" });
    expect(figures["step_ms"]?.samples).toHaveLength(60);
  });
});
