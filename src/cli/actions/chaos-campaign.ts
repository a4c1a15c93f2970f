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
import {
  freshCampaignName,
  type KeptCampaign,
  openKeptCampaign,
} from "../chaos/campaign/kept-campaign.ts";
import { openTrial, openWorkers } from "../chaos/campaign/open-workers.ts";
import {
  type CampaignPlace,
  readPlace,
  runThere,
  type SpreadCampaign,
} from "../chaos/campaign/place.ts";
import { type CampaignRequest, readCampaignRequest } from "../chaos/campaign/request.ts";
import { runHere } from "../chaos/campaign/run-here.ts";
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
  const place = readPlace(invocation);
  const { values } = await invocation.config();
  const seed = values.seed ?? defaultSeed;
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const trial = await openTrial();
  const workers = await openWorkers(request.workers, trial, signal);
  const files =
    request.html === undefined ? [] : [createFileReporter({ path: request.html, format: "html" })];
  const reporter = createMultiplexer([reporterFor(invocation, { ownJson: true }), ...files]);
  let kept: KeptCampaign | undefined;
  try {
    kept = await openKept(invocation, { request, place, seed, workers });
    const keptAs = kept === undefined ? "" : `, kept in the store as ${kept.book.name}`;
    reporter.onBegin({ title: `Campaign ${seed}`, subject: `simulated jobs${keptAs}` });
    const part = await carryOut(invocation, { request, place, seed, workers, kept, reporter });
    const made = await reproduce(invocation, { request, part, workers });
    const { campaignReport, campaignResult } = await import("../../chaos/campaign/index.ts");
    const result = campaignResult(part, made);
    await kept?.book.conclude(result, clock.nowMs());
    const timelines = request.html === undefined ? [] : await timelinesOf(result, trial, signal);
    const durationMs = clock.monotonicMs() - startedMs;
    const notes = [
      `${request.workers} workers, ${Math.round(durationMs / 1000)} s (measured)`,
      ...noteOf(kept, part),
    ];
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
    await kept?.close();
  }
};

/** What others find is always kept: nobody wants to pay for it twice. */
async function openKept(
  invocation: Invocation,
  about: {
    readonly request: CampaignRequest;
    readonly place: CampaignPlace | undefined;
    readonly seed: string;
    readonly workers: readonly CampaignWorker[];
  },
): Promise<KeptCampaign | undefined> {
  const { request, place, seed, workers } = about;
  const [worker] = workers;
  const name = request.name ?? (place === undefined ? undefined : await freshCampaignName());
  if (name === undefined || worker === undefined) return undefined;
  return openKeptCampaign(invocation, { name, seed, worker });
}

function noteOf(kept: KeptCampaign | undefined, part: CampaignPart): readonly string[] {
  if (kept === undefined) return [];
  const before = new Set(kept.known.runs.map(({ index }) => index));
  const old = part.runs.filter(({ index }) => before.has(index)).length;
  return [`kept in the store as ${kept.book.name}; ${old} of these runs were there before`];
}

async function carryOut(
  invocation: Invocation,
  about: {
    readonly request: CampaignRequest;
    readonly place: CampaignPlace | undefined;
    readonly seed: string;
    readonly workers: readonly CampaignWorker[];
    readonly kept: KeptCampaign | undefined;
    readonly reporter: ReturnType<typeof reporterFor>;
  },
): Promise<CampaignPart> {
  const { request, place, seed, kept, reporter } = about;
  reporter.onItemStart({ id: "runs", name: "runs" });
  if (place === undefined || kept === undefined) return runHere(invocation, about);
  const onProgress: SpreadCampaign["onProgress"] = (progress) =>
    reporter.onProgress({ id: "runs", ...progress });
  return runThere(invocation, place, { request, seed, kept, onProgress });
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
