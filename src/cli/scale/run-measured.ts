import { exitCodes } from "../../platform/errors/index.ts";
import { rankValues } from "../../runtime/ranks/index.ts";
import type { ScalingInput, ScalingMeasurement } from "../../runtime/ranks/tasks/scaling.ts";
import { rankLauncherOf } from "../agent/rank-launcher.ts";
import { formatUs } from "../collective/show.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { tableOf } from "../text-table.ts";
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

/** `tessera scale --measured`: steps of real ranks of this host. */
export const runMeasured: Action = async (invocation) => {
  const { globals, io, signal } = invocation;
  const request = await readScaleRequest(invocation);
  const launch = rankLauncherOf(invocation);
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
    const outcomes = await launch({
      task: "scaling",
      worldSize: ranks,
      input,
      signal,
      timeoutMs,
      silenceMs,
    });
    // All ranks run this very program.
    runs.push({ ranks, measured: rankValues(outcomes) as readonly ScalingMeasurement[] });
  }
  const points = scalePoints(request, runs);
  const wrong = disagreeing(runs);
  if (globals.json) writeJson(io.stdout, jsonOf(request, points, wrong));
  else for (const line of show(request, points, wrong)) writeLine(io.stdout, line);
  return wrong.length > 0 ? exitCodes.failed : exitCodes.good;
};

function jsonOf(
  { kind, batch, size, steps, device, topology }: ScaleRequest,
  points: readonly ScalePoint[],
  wrong: readonly number[],
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
  };
}

function show(
  request: ScaleRequest,
  points: readonly ScalePoint[],
  wrong: readonly number[],
): readonly string[] {
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
    "Steps are measured on this host: the median, each that of its slowest rank.",
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
