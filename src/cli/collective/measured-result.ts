import { formatBytes } from "../../platform/units/index.ts";
import { type CollectiveEstimate, modelCollective } from "../../runtime/dist/time-model/index.ts";
import type { MeasuredSize } from "../../runtime/ranks/index.ts";
import { slurmRemarks } from "../agent/slurm/remarks.ts";
import { tableOf } from "../text-table.ts";
import type { Measured } from "./measure.ts";
import type { MeasuredRequest } from "./measured-request.ts";
import { formatUs } from "./show.ts";

/** One size: what was measured, and what the model says where one was asked for. */
export interface MeasuredPoint {
  readonly measured: MeasuredSize;
  readonly modelled: CollectiveEstimate | undefined;
}

/** Puts the model beside the measurement. */
export function besideModel(
  { op, topology }: MeasuredRequest,
  { sizes, ranks }: Measured,
): readonly MeasuredPoint[] {
  return sizes.map((measured) => ({
    measured,
    modelled:
      topology === undefined || ranks < 2
        ? undefined
        : modelCollective({ op, topology, devices: ranks, bytes: measured.bytes }),
  }));
}

/** The result for programs. */
export function measuredJson(
  { op, dtype, topology }: MeasuredRequest,
  measured: Measured,
  points: readonly MeasuredPoint[],
): Record<string, unknown> {
  const { ranks, transport, facts } = measured;
  return {
    op,
    devices: ranks,
    transport,
    dtype,
    ...(topology === undefined ? {} : { topology: topology.name }),
    source: "measured",
    points: points.map(({ measured: one, modelled }) => ({
      bytes: one.bytes,
      timeUs: one.timeUs,
      algbwGBps: one.algbwGBps,
      busbwGBps: one.busbwGBps,
      timesUs: one.timesUs,
      wrong: one.wrong,
      elements: one.elements,
      ...(one.firstWrong === undefined ? {} : { firstWrong: one.firstWrong }),
      ...(modelled === undefined ? {} : { modelled: estimateJson(modelled) }),
    })),
    facts,
  };
}

function estimateJson({ timeUs, algbwGBps, busbwGBps, algorithm }: CollectiveEstimate) {
  return { source: "modelled", timeUs, algbwGBps, busbwGBps, algorithm };
}

/** What was measured, in one line. */
export function measuredTitle(
  { op, dtype }: Pick<MeasuredRequest, "op" | "dtype">,
  { ranks, transport, nodes }: Pick<Measured, "ranks" | "transport" | "nodes">,
): string {
  const where =
    nodes === undefined ? " of this host" : ` on ${nodes} node${nodes === 1 ? "" : "s"}`;
  const between =
    transport === "nccl"
      ? `GPUs${nodes === undefined ? "" : where} over NCCL`
      : `processes${where} over TCP`;
  return `${op} of ${dtype} between ${ranks} ${between}`;
}

/** What must be known to read the figures, a sentence each. */
export function remarks(
  { topology }: Pick<MeasuredRequest, "topology">,
  { ranks, facts }: Pick<Measured, "ranks" | "facts">,
  points: readonly MeasuredPoint[],
): readonly string[] {
  const withModel = points.some(({ modelled }) => modelled !== undefined);
  return [
    "Times are measured: the median over the runs, each that of its slowest rank.",
    ...(withModel ? [`MODELLED is what ${topology?.title ?? "the model"} would take.`] : []),
    ...slurmRemarks(facts),
    ...(ranks === 1 ? ["One rank moves nothing: only its answer was checked."] : []),
  ];
}

/** The result for people. */
export function showMeasured(
  request: MeasuredRequest,
  result: Measured,
  points: readonly MeasuredPoint[],
): readonly string[] {
  const withModel = points.some(({ modelled }) => modelled !== undefined);
  const head = ["SIZE", "MEASURED", "FASTEST", "SLOWEST", "ALGBW", "BUSBW", "WRONG"];
  const rows = points.map(({ measured, modelled }) => [
    formatBytes(measured.bytes),
    formatUs(measured.timeUs),
    formatUs(Math.min(...measured.timesUs)),
    formatUs(Math.max(...measured.timesUs)),
    `${rate(measured.algbwGBps)} GB/s`,
    `${rate(measured.busbwGBps)} GB/s`,
    String(measured.wrong),
    ...(modelled === undefined
      ? []
      : [formatUs(modelled.timeUs), `${(measured.timeUs / modelled.timeUs).toPrecision(2)}x`]),
  ]);
  const wrong = points.flatMap(({ measured }) => measured.firstWrong ?? []);
  return [
    measuredTitle(request, result),
    "",
    ...tableOf([[...head, ...(withModel ? ["MODELLED", "MEASURED/MODELLED"] : [])], ...rows]),
    "",
    ...remarks(request, result, points),
    ...wrong.slice(0, 5).map((sentence) => `WRONG: ${sentence}`),
  ];
}

function rate(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
