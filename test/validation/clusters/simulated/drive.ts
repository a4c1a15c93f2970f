import { type Clock, VirtualClock } from "../../../../src/platform/time/index.ts";
import type { CheckRun } from "../../../../src/validation/classify/index.ts";
import type { JobRequest } from "../../../../src/validation/clusters/cluster.ts";
import { getFreeNodeList } from "../../../../src/validation/clusters/free-nodes.ts";
import {
  createSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from "../../../../src/validation/clusters/simulated/index.ts";
import type { HandInWay, RunIntent, RunResult } from "../../../../src/validation/run.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const epochMs = Date.UTC(2026, 0, 5);

/** Nothing goes wrong by chance, and no user is there. */
export const quiet = {
  utilisation: 0,
  defectiveShare: 0,
  defectsPer1000NodeDays: 0,
  lossesPer1000NodeDays: 0,
  maintenancePer1000NodeDays: 0,
  slowStorageHours: 0,
  podTrouble: { stuck: 0, dies: 0, hangs: 0, postFails: 0, fileFails: 0 },
} as const;

export interface Driven {
  readonly clock: VirtualClock;
  readonly cluster: SimulatedCluster;
  readonly handIns: { readonly result: RunResult; readonly way: HandInWay; atMs: number }[];
}

/** A started cluster whose time the test owns. */
export function startCluster(options: Partial<SimulatedClusterOptions> = {}): Driven {
  const clock = new VirtualClock({ epochMs });
  const handIns: Driven["handIns"] = [];
  const cluster = createSimulatedCluster({
    name: "sim",
    seed: "1",
    clock,
    onResult: (result, way) => handIns.push({ result, way, atMs: clock.nowMs() }),
    ...options,
  });
  cluster.start();
  return { clock, cluster, handIns };
}

/** What a loop would submit for a check of a node now. */
export function requestFor(
  { clock }: { readonly clock: Pick<Clock, "nowMs"> },
  node: string,
  check = "nccl-loopback",
): JobRequest {
  const plannedAtMs = clock.nowMs();
  const id = `${node}/${check}/${plannedAtMs}`;
  const intent: RunIntent = {
    id,
    cluster: "sim",
    node,
    check,
    plannedAtMs,
    jobName: `tsr-${check}-${node}-${plannedAtMs}`,
    purpose: "routine",
    reason: "a test",
    policy: "none",
    sku: "h100-sxm5-80gb",
    rack: "rack-01",
    fileSystem: "",
    gpus: 8,
    gpuHours: 1,
    provenance: "simulated",
  };
  const resultUrl = "http://127.0.0.1/result";
  return { intent, token: "token", resultUrl, runTimeoutMs: hourMs, checkOptions: {} };
}

/** Tests the free nodes in turn, each check after the other, for some days; gives the runs. */
export async function testInTurn(
  driven: Driven,
  {
    days,
    inFlight,
    stepMs = 10 * minuteMs,
  }: { readonly days: number; readonly inFlight: number; readonly stepMs?: number },
): Promise<readonly CheckRun[]> {
  const { clock, cluster, handIns } = driven;
  const { available } = cluster.checks;
  const last = new Map<string, number>();
  const turns = new Map<string, number>();
  const meta = new Map<string, RunIntent>();
  for (let passedMs = 0; passedMs < days * dayMs; passedMs += stepMs) {
    const view = cluster.view();
    const open = view.jobs.filter(({ phase }) => phase === "pending" || phase === "running");
    const stuck = open.filter(
      ({ phase, createdAtMs }) => phase === "pending" && view.atMs - createdAtMs > hourMs,
    );
    for (const { name } of stuck) await cluster.cancel(name);
    const room = Math.max(0, inFlight - open.length);
    const stalest = getFreeNodeList(view).toSorted(
      (a, b) => (last.get(a) ?? 0) - (last.get(b) ?? 0),
    );
    for (const node of stalest.slice(0, room)) {
      const turn = turns.get(node) ?? 0;
      turns.set(node, turn + 1);
      last.set(node, clock.nowMs());
      const request = requestFor(driven, node, available[turn % available.length]);
      meta.set(request.intent.id, request.intent);
      await cluster.submit(request);
    }
    await clock.advance(stepMs);
  }
  const byRun = new Map(handIns.map(({ result }) => [result.runId, result]));
  return [...byRun.values()].map((result) => toCheckRun(result, meta.get(result.runId)));
}

function toCheckRun(result: RunResult, intent: RunIntent | undefined): CheckRun {
  if (intent === undefined) throw new Error(`nobody asked for run ${result.runId}`);
  const { node, check, sku } = intent;
  const figures = Object.entries(result.figures).map(([name, { samples, ...rest }]) => {
    return [name, { samples: Float64Array.from(samples), ...rest }] as const;
  });
  return {
    node,
    check,
    sku,
    ...(result.cohort === undefined ? {} : { cohort: result.cohort }),
    timestampMs: result.endedAtMs,
    completed: result.outcome === "completed",
    figures: new Map(figures),
    hardFacts: result.hardFacts,
  };
}
