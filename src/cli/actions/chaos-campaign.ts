import { availableParallelism } from "node:os";
import type {
  CampaignPart,
  CampaignResult,
  CampaignWorker,
  Reproducers,
} from "../../chaos/campaign/index.ts";
import type { Trial } from "../../chaos/journal/index.ts";
import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import type { Plot } from "../../platform/plots/index.ts";
import { createFileReporter, createMultiplexer } from "../../platform/reporters/index.ts";
import type { ExperimentOutcome } from "../../platform/words.ts";
import { readKubernetesPlace, runInPods } from "../chaos/campaign/on-kubernetes.ts";
import { openTrial, openWorkers } from "../chaos/campaign/open-workers.ts";
import { type CampaignRequest, readCampaignRequest } from "../chaos/campaign/request.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson } from "../output.ts";
import { reporterFor } from "../reporter.ts";

const codes: Readonly<Record<ExperimentOutcome, ExitCode>> = {
  pass: exitCodes.good,
  fail: exitCodes.failed,
  inconclusive: exitCodes.undecided,
};

/** Plans that anyone can have again; `--seed` gives others. */
const defaultSeed = "0";

/** `tessera chaos campaign` */
export const run: Action = async (invocation) => {
  const { clock, globals, io, signal } = invocation;
  const request = readCampaignRequest(invocation, availableParallelism());
  readKubernetesPlace(invocation);
  const { values } = await invocation.config();
  const seed = values.seed ?? defaultSeed;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const trial = await openTrial();
  const workers = await openWorkers(request.workers, trial, signal);
  const files =
    request.html === undefined ? [] : [createFileReporter({ path: request.html, format: "html" })];
  const reporter = createMultiplexer([reporterFor(invocation, { ownJson: true }), ...files]);
  try {
    reporter.onBegin({ title: `Campaign ${seed}`, subject: "simulated jobs" });
    const part = await carryOut(invocation, { request, seed, workers, reporter });
    const made = await reproduce(invocation, { request, part, workers });
    const { campaignReport, campaignResult } = await import("../../chaos/campaign/index.ts");
    const result = campaignResult(part, made);
    const timelines = request.html === undefined ? [] : await timelinesOf(result, trial, signal);
    const durationMs = clock.monotonicMs() - startedMs;
    const notes = [`${request.workers} workers, ${Math.round(durationMs / 1000)} s (measured)`];
    const report = campaignReport(result, part, { startedAtMs, durationMs, timelines, notes });
    for (const item of report.sections.flatMap(({ items }) => items)) {
      reporter.onItemStart({ id: `${item.name} `, name: item.name });
      reporter.onItemEnd({ id: `${item.name} `, item });
    }
    await reporter.onEnd(report);
    if (globals.json) writeJson(io.stdout, result);
    return codes[result.outcome];
  } finally {
    reporter.onAbort();
    await Promise.all(workers.map((worker) => worker.close()));
  }
};

async function carryOut(
  invocation: Invocation,
  about: {
    readonly request: CampaignRequest;
    readonly seed: string;
    readonly workers: readonly CampaignWorker[];
    readonly reporter: ReturnType<typeof reporterFor>;
  },
): Promise<CampaignPart> {
  const { request, seed, workers, reporter } = about;
  const { from, to, timeBoxMs } = request;
  const { clock, signal } = invocation;
  const place = readKubernetesPlace(invocation);
  if (place !== undefined) {
    reporter.onItemStart({ id: "runs", name: "pods" });
    const onProgress = (progress: { readonly done: number; readonly total: number }) =>
      reporter.onProgress({ id: "runs", ...progress });
    return runInPods(invocation, { request, place, seed, onProgress });
  }
  const { runCampaign } = await import("../../chaos/campaign/index.ts");
  reporter.onItemStart({ id: "runs", name: "runs" });
  return runCampaign({
    seed,
    from,
    to,
    ...(timeBoxMs === undefined ? {} : { timeBoxMs }),
    workers,
    clock,
    signal,
    onProgress: ({ done, failed, simulatedSeconds }) => {
      const note = `${failed} failed, ${simulatedSeconds.toFixed(0)} s simulated`;
      const total = timeBoxMs === undefined ? { total: to - from } : {};
      reporter.onProgress({ id: "runs", done, ...total, note });
    },
  });
}

async function reproduce(
  { signal }: Invocation,
  about: {
    readonly request: CampaignRequest;
    readonly part: CampaignPart;
    readonly workers: readonly CampaignWorker[];
  },
): Promise<Reproducers> {
  const { request, part, workers } = about;
  const { makeReproducers } = await import("../../chaos/campaign/index.ts");
  const made = await makeReproducers(part, { workers, signal });
  if (request.out === undefined) return made;
  const { saveCampaign } = await import("../chaos/campaign/save.ts");
  return saveCampaign(request.out, part, made);
}

/** The first run of each way to fail, made once more. */
async function timelinesOf(
  { seed, signatures }: CampaignResult,
  trial: Trial,
  signal: AbortSignal,
): Promise<readonly Plot[]> {
  const [{ reproducersMax, swarmPlan }, { timelinePlot }] = await Promise.all([
    import("../../chaos/campaign/index.ts"),
    import("../../chaos/report/index.ts"),
  ]);
  const plots: Plot[] = [];
  for (const { firstIndex, signature } of signatures.slice(0, reproducersMax)) {
    const judged = await trial(swarmPlan(seed, firstIndex).plan, signal);
    const title = `Run ${firstIndex}: ${signature}`;
    plots.push(timelinePlot({ ...judged, plan: { ...judged.plan, title } }));
  }
  return plots;
}
