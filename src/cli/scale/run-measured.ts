import { exitCodes } from "../../platform/errors/index.ts";
import { type RankLauncher, rankValues } from "../../runtime/ranks/index.ts";
import type { ScalingInput, ScalingMeasurement } from "../../runtime/ranks/tasks/scaling.ts";
import { rankLauncherOf } from "../agent/rank-launcher.ts";
import { type SlurmFacts, stepTimeoutMs } from "../agent/slurm/open-slurm-ranks.ts";
import { readSlurmPlace } from "../agent/slurm/place.ts";
import { slurmRemarks } from "../agent/slurm/remarks.ts";
import { formatUs } from "../collective/show.ts";
import type { Action, Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { tableOf } from "../text-table.ts";
import { openScaleRanks } from "./on-slurm.ts";
import { readScaleRequest, type ScaleRequest } from "./request.ts";
import {
  disagreeing,
  rowsOfRank,
  type ScalePoint,
  type ScaleRun,
  scalePoints,
} from "./scale-points.ts";

const timeoutMs = 3_600_000;
const silenceMs = 600_000;

/** `tessera scale --measured`: steps of real ranks of this host, or on nodes of a Slurm cluster. */
export const runMeasured: Action = async (invocation) => {
  const { globals, io } = invocation;
  const request = await readScaleRequest(invocation);
  const place = await readSlurmPlace(invocation, "scale");
  const ranks = place === undefined ? undefined : await openScaleRanks(invocation, place, request);
  try {
    const launch = ranks?.launch ?? rankLauncherOf(invocation);
    const limitMs = place === undefined ? timeoutMs : stepTimeoutMs(place);
    const runs = await measureAll(invocation, request, { launch, timeoutMs: limitMs });
    const points = scalePoints(request, runs);
    const wrong = disagreeing(runs);
    const slurm = ranks?.facts;
    if (globals.json) writeJson(io.stdout, jsonOf(request, { points, wrong, slurm }));
    else for (const line of show(request, { points, wrong, slurm })) writeLine(io.stdout, line);
    return wrong.length > 0 ? exitCodes.failed : exitCodes.good;
  } finally {
    await ranks?.release();
  }
};

interface Result {
  readonly points: readonly ScalePoint[];
  readonly wrong: readonly number[];
  readonly slurm: SlurmFacts | undefined;
}

/** One number of ranks after the other, all on the same nodes. */
async function measureAll(
  { globals, signal }: Invocation,
  request: ScaleRequest,
  how: { readonly launch: RankLauncher; readonly timeoutMs: number },
): Promise<readonly ScaleRun[]> {
  const runs: ScaleRun[] = [];
  for (const ranks of request.ranks) {
    const { size, steps, device } = request;
    const input: ScalingInput = {
      rows: rowsOfRank(request, ranks),
      size,
      steps,
      device,
      seed: globals.seed ?? "0",
    };
    const outcomes = await how.launch({
      task: "scaling",
      worldSize: ranks,
      input,
      signal,
      timeoutMs: how.timeoutMs,
      silenceMs,
    });
    // All ranks run this very program.
    runs.push({ ranks, measured: rankValues(outcomes) as readonly ScalingMeasurement[] });
  }
  return runs;
}

function jsonOf(
  { kind, batch, size, steps, device, topology }: ScaleRequest,
  { points, wrong, slurm }: Result,
) {
  return {
    kind,
    batch,
    size,
    steps,
    device,
    ...(topology === undefined ? {} : { topology: topology.name }),
    source: "measured",
    points: points.map(({ modelledStepUs, ...measured }) => ({
      ...measured,
      ...(modelledStepUs === undefined
        ? {}
        : { modelled: { source: "modelled", stepUs: modelledStepUs } }),
    })),
    ranksThatDisagree: wrong,
    ...(slurm === undefined ? {} : { slurm }),
  };
}

function show(request: ScaleRequest, { points, wrong, slurm }: Result): readonly string[] {
  const { kind, batch, size, topology } = request;
  const share =
    kind === "strong" ? `${batch} rows divided among all` : `${batch} rows for each rank`;
  const withModel = topology !== undefined;
  const head = ["RANKS", "MEASURED STEP", "ALL-REDUCE", "ROWS/S", "EFFICIENCY"];
  return [
    `${kind} scaling, ${share}, a layer of ${size} x ${size}, on ${request.device}`,
    "",
    ...tableOf([
      [...head, ...(withModel ? ["MODELLED STEP"] : [])],
      ...points.map((point) => [
        String(point.ranks),
        formatUs(point.stepUs),
        formatUs(point.communicationUs),
        point.rowsPerSecond.toPrecision(4),
        `${(100 * point.efficiency).toFixed(0)} %`,
        ...(point.modelledStepUs === undefined ? [] : [formatUs(point.modelledStepUs)]),
      ]),
    ]),
    "",
    `Steps are measured on ${slurm === undefined ? "this host" : "nodes of one job"}: the median, each that of its slowest rank.`,
    ...(slurm === undefined ? [] : slurmRemarks({ slurm })),
    ...(withModel
      ? [
          `MODELLED STEP: the computation of the first row, and the all-reduce of ${topology.title}.`,
        ]
      : []),
    ...wrong.map(
      (ranks) => `WRONG: with ${ranks} ranks, the summed gradients differ between ranks.`,
    ),
  ];
}
