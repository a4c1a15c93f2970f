import type { ExperimentRun } from "../../chaos/experiment/index.ts";
import {
  dipsOf,
  metricOf,
  metricTable,
  type RateWindows,
  type Throughput,
  timeUses,
} from "../../chaos/judge/index.ts";
import { recoveryPhases, type Workload } from "../../chaos/plan/index.ts";
import type { JobEvent } from "../../chaos/record/index.ts";
import { analysisOf } from "../../chaos/report/index.ts";
import type { ExperimentDetailView } from "../api/experiments.ts";
import { injectionView } from "./child/injection-line.ts";
import { injectionsMax } from "./live-injections.ts";

/** What a run leaves to be looked at: small however long the run was. */
export type RunDetail = Pick<
  ExperimentDetailView,
  | "injections"
  | "residualFaults"
  | "recoveries"
  | "findings"
  | "metrics"
  | "timeUse"
  | "rate"
  | "generations"
  | "saves"
  | "endS"
  | "traceHash"
  | "stateDigest"
  | "signature"
  | "notes"
> & {
  readonly outcome: NonNullable<ExperimentDetailView["outcome"]>;
  readonly reason: string;
};

const windowsMax = 2000;
const dipsMax = 200;
const generationsMax = 1000;
const savesMax = 2000;
const listMax = 500;

/** The digest of a run. Times are seconds from the start of the workload, in the world's time. */
export function detailOf(run: ExperimentRun): RunDetail {
  const { plan, record, judgement } = run;
  const analysis = analysisOf(run);
  return {
    outcome: judgement.outcome,
    reason: judgement.reason,
    injections: record.injections.slice(0, injectionsMax).map(injectionView),
    residualFaults: record.residualFaults.slice(0, listMax),
    recoveries: judgement.recoveries
      .slice(0, listMax)
      .map(({ faults, path, effectUs, endsUs }) => ({
        faults: [...faults],
        path: path ?? "none found",
        effectS: s(effectUs),
        phases: recoveryPhases.map((phase) => ({ phase, endS: s(endsUs[phase]) })),
      })),
    findings: judgement.findings
      .slice(0, listMax)
      .map(({ property, outcome, reason }) => ({ property, verdict: outcome, reason })),
    metrics: metricTable.map(({ name, title, unit, better }) => {
      return { name, title, value: metricOf(judgement.metrics, name) ?? null, unit, better };
    }),
    timeUse: timeUses.map((use) => ({ use, seconds: analysis.split.totalsUs[use] / 1e6 })),
    rate: analysis.throughput === null ? null : rateOf(analysis.throughput, plan.workload),
    generations: generationsOf(record.events, record.endUs).slice(-generationsMax),
    saves: savesOf(record.events).slice(-savesMax),
    endS: s(record.endUs),
    traceHash: record.traceHash,
    stateDigest: record.stateDigest,
    signature: judgement.signature,
    notes: record.notes.slice(0, listMax),
  };
}

function s(us: number | null): number | null {
  return us === null ? null : us / 1e6;
}

const units: Readonly<Record<Workload["kind"], string>> = {
  training: "samples/s",
  inference: "requests/s",
  command: "units/s",
  pods: "units/s",
  slurm: "units/s",
};

/** Both curves over one axis of time; of very many windows the middle of a few. */
export function rateOf(
  throughput: Throughput,
  { kind }: Pick<Workload, "kind">,
): ExperimentDetailView["rate"] {
  const { run, baseline } = throughput;
  const { windowUs } = run;
  const fromUs = Math.min(run.fromUs, baseline.fromUs);
  const count = Math.ceil((Math.max(endUs(run), endUs(baseline)) - fromUs) / windowUs);
  const perPoint = Math.max(1, Math.ceil(count / windowsMax));
  const points = Math.ceil(count / perPoint);
  const middles = Array.from(
    { length: points },
    (_, at) => fromUs + (at + 0.5) * perPoint * windowUs,
  );
  const curve = (windows: RateWindows) =>
    middles.map((middleUs) => rateAt(windows, middleUs, perPoint));
  return {
    unit: units[kind],
    times: middles.map((us) => us / 1e6),
    withFaults: curve(run),
    usual: curve(baseline),
    dips: dipsOf(throughput, dipsMax).map((dip) => ({
      fromS: dip.fromUs / 1e6,
      toS: (dip.fromUs + dip.durationUs) / 1e6,
      depth: dip.depth,
    })),
  };
}

function endUs({ fromUs, windowUs, rates }: RateWindows): number {
  return fromUs + rates.length * windowUs;
}

/** The mean of the windows around a moment; null where there are none. */
function rateAt(
  { fromUs, windowUs, rates }: RateWindows,
  middleUs: number,
  perPoint: number,
): number | null {
  const first = Math.floor((middleUs - fromUs) / windowUs - (perPoint - 1) / 2);
  const there = rates.slice(Math.max(0, first), Math.max(0, first + perPoint));
  if (there.length === 0) return null;
  return there.reduce((sum, rate) => sum + rate, 0) / there.length;
}

/** From where ranks agreed until they stopped or the next ones did. */
function generationsOf(
  events: readonly JobEvent[],
  runEndUs: number,
): ExperimentDetailView["generations"] {
  const found: ExperimentDetailView["generations"] = [];
  let open: Extract<JobEvent, { kind: "generation" }> | undefined;
  const close = (atUs: number) => {
    if (open !== undefined) {
      const { ranks, reason } = open;
      found.push({ fromS: open.atUs / 1e6, toS: atUs / 1e6, ranks, reason });
    }
    open = undefined;
  };
  for (const event of events) {
    if (event.kind === "generation") {
      close(event.atUs);
      open = event;
    } else if (event.kind === "isolate" || event.kind === "finish" || event.kind === "give-up") {
      close(event.atUs);
    }
  }
  close(runEndUs);
  return found;
}

function savesOf(events: readonly JobEvent[]): ExperimentDetailView["saves"] {
  return events.flatMap((event) =>
    event.kind === "save" && event.phase !== "begun"
      ? [{ atS: event.atUs / 1e6, tag: event.tag, ok: event.phase === "committed" }]
      : [],
  );
}
