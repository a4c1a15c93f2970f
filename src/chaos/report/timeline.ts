import type { LaneMark, LaneSpan, LanesPlot, LineSeries } from "../../platform/plots/index.ts";
import type { Recovery, RunAnalysis } from "../judge/index.ts";
import { timeText } from "../judge/words.ts";
import { type RecoveryPhase, recoveryPhases } from "../plan/index.ts";
import type { InjectionRecord, JobEvent } from "../record/index.ts";
import { analysisOf, type ReportedRun } from "./judged-run.ts";

const kinds = [
  { name: "fault in force", status: "fail" },
  { name: "effect seen" },
  { name: "to detect", status: "suspect" },
  { name: "to isolate" },
  { name: "to re-form" },
  { name: "to load" },
  { name: "to the first step" },
  { name: "to regain" },
  { name: "to the usual rate" },
  { name: "generation", status: "pass" },
  { name: "save", status: "skipped" },
  { name: "failed or refused", status: "unknown" },
] as const satisfies LanesPlot["kinds"];

const kind = Object.fromEntries(kinds.map(({ name }, index) => [name, index])) as Record<
  (typeof kinds)[number]["name"],
  number
>;

const kindOfPhase: Readonly<Record<RecoveryPhase, number>> = {
  detect: kind["to detect"],
  isolate: kind["to isolate"],
  reform: kind["to re-form"],
  load: kind["to load"],
  first: kind["to the first step"],
  regain: kind["to regain"],
  steady: kind["to the usual rate"],
};

const faultLanesMax = 12;

/** A run over its time: faults, recoveries by phase, generations, checkpoints, and the rate beside the usual one. */
export function timelinePlot(run: ReportedRun, analysis: RunAnalysis = analysisOf(run)): LanesPlot {
  const { record } = analysis;
  const injected = record.injections.filter(({ injectedUs }) => injectedUs !== null);
  const series = curvesOf(analysis);
  return {
    kind: "lanes",
    title: `${run.plan.title}: what happened when`,
    provenance: record.provenance,
    widthPx: 960,
    areaHeightPx: 110,
    x: { label: "Time since the start of the workload", unit: "s", include: [0, s(record.endUs)] },
    kinds,
    lanes: [
      ...injected.slice(0, faultLanesMax).map(faultLane),
      ...moreFaults(injected.slice(faultLanesMax)),
      ...recoveryLane(run.judgement.recoveries),
      { name: "generations", spans: generationSpans(record.events, record.endUs) },
      ...checkpointLane(record.events),
    ],
    ...(series.length === 0
      ? {}
      : { curve: { y: { label: "Units a second that stayed", include: [0] }, series } }),
  };
}

function s(us: number): number {
  return us / 1e6;
}

/** The lane has the name; its span says how long. */
function faultLane(injection: InjectionRecord): LanesPlot["lanes"][number] {
  const { injectedUs, revertedUs } = injection;
  const label =
    injectedUs === null || revertedUs === null
      ? "to the end"
      : `for ${timeText(revertedUs - injectedUs)}`;
  return {
    name: `${injection.fault} · ${injection.target}`,
    spans: faultSpans([injection]).map((span) => ({ ...span, label })),
    marks: effectMarks([injection]),
  };
}

function moreFaults(injections: readonly InjectionRecord[]): LanesPlot["lanes"] {
  if (injections.length === 0) return [];
  const name = `${injections.length} more faults`;
  return [{ name, spans: faultSpans(injections), marks: effectMarks(injections) }];
}

function faultSpans(injections: readonly InjectionRecord[]): readonly LaneSpan[] {
  return injections.flatMap(({ injectedUs, revertedUs, fault, target }) =>
    injectedUs === null
      ? []
      : [
          {
            from: s(injectedUs),
            to: revertedUs === null ? null : s(revertedUs),
            kind: kind["fault in force"],
            label: `${fault} on ${target}`,
          },
        ],
  );
}

function effectMarks(injections: readonly InjectionRecord[]): readonly LaneMark[] {
  return injections.flatMap(({ effectUs, effect, fault }) =>
    effectUs === null
      ? []
      : [{ at: s(effectUs), kind: kind["effect seen"], label: effect ?? `effect of ${fault}` }],
  );
}

/** What nobody noticed is over with the next step. */
function phasesShown(path: Recovery["path"]): readonly RecoveryPhase[] {
  return path === "none" ? ["first"] : recoveryPhases;
}

/**
 * Each phase from where the one before it ended, and no further than to the next recovery; what was never
 * reached has no end.
 */
function recoveryLane(recoveries: readonly Recovery[]): LanesPlot["lanes"] {
  const spans = recoveries.flatMap(({ effectUs, endsUs, path }, at) => {
    const found: LaneSpan[] = [];
    const nextUs = recoveries[at + 1]?.effectUs ?? Number.POSITIVE_INFINITY;
    let fromUs = effectUs;
    for (const phase of phasesShown(path)) {
      const end = endsUs[phase];
      if (end === null) continue;
      const toUs = Math.min(end, nextUs);
      if (toUs > fromUs) {
        found.push({ from: s(fromUs), to: s(toUs), kind: kindOfPhase[phase], label: phase });
      }
      fromUs = Math.max(fromUs, toUs);
    }
    if (endsUs.first === null && path !== "cleanFailure") {
      found.push({ from: s(fromUs), to: null, kind: kindOfPhase.first, label: "never recovered" });
    }
    return found;
  });
  return recoveries.length === 0 ? [] : [{ name: "recovery", spans }];
}

/** From where a generation agreed until the next one had to. */
function generationSpans(events: readonly JobEvent[], endUs: number): readonly LaneSpan[] {
  const spans: LaneSpan[] = [];
  let open: { readonly fromUs: number; readonly label: string } | null = null;
  const close = (toUs: number): void => {
    if (open !== null) {
      spans.push({ from: s(open.fromUs), to: s(toUs), kind: kind.generation, label: open.label });
    }
    open = null;
  };
  for (const event of events) {
    if (event.kind === "isolate" || event.kind === "finish" || event.kind === "give-up") {
      close(event.atUs);
    } else if (event.kind === "generation") {
      close(event.atUs);
      const ranks = `${event.ranks} ${event.ranks === 1 ? "rank" : "ranks"}`;
      open = { fromUs: event.atUs, label: `${event.generation}: ${ranks}` };
    }
  }
  close(endUs);
  return spans;
}

/** Saves and loads; those that did not go well stand out. */
function checkpointLane(events: readonly JobEvent[]): LanesPlot["lanes"] {
  const spans: LaneSpan[] = [];
  const marks: LaneMark[] = [];
  const begun = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== "save" && event.kind !== "restore") continue;
    const name = `${event.kind} ${event.tag ?? "from the beginning"}`;
    if (event.phase === "begun") {
      begun.set(name, event.atUs);
      continue;
    }
    const fromUs = begun.get(name) ?? event.atUs;
    begun.delete(name);
    const isGood = event.phase === "committed" || event.phase === "done";
    const own = event.kind === "save" ? kind.save : kind["to load"];
    const [from, to, label] = [s(fromUs), s(event.atUs), isGood ? name : `${name}: ${event.phase}`];
    spans.push({ from, to, kind: isGood ? own : kind["failed or refused"], label });
    if (!isGood) marks.push({ at: to, kind: kind["failed or refused"], label });
  }
  return spans.length === 0 ? [] : [{ name: "checkpoints", spans, marks }];
}

function curvesOf({ throughput }: RunAnalysis): readonly LineSeries[] {
  if (throughput === null) return [];
  return (["run", "baseline"] as const).map((which) => {
    const { fromUs, windowUs, rates } = throughput[which];
    return {
      name: which === "run" ? "this run" : "no faults",
      x: rates.map((_, index) => s(fromUs + (index + 0.5) * windowUs)),
      y: rates,
    };
  });
}
