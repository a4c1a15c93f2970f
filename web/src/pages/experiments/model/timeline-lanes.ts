import type { ExperimentDetailView } from "../../../../../src/control/api/experiments.ts";

/** What a stretch of a lane stands for; styles and the legend go by it. */
export type SpanKind =
  | "fault"
  | "detect"
  | "isolate"
  | "reform"
  | "load"
  | "first"
  | "regain"
  | "steady"
  | "generation";

export interface LaneSpan {
  readonly fromS: number;
  readonly toS: number;
  readonly kind: SpanKind;
  readonly label: string;
  /** It had no end when the run ended. */
  readonly isOpen: boolean;
}

export interface LaneMark {
  readonly atS: number;
  readonly kind: "effect" | "save" | "bad";
  readonly label: string;
}

export interface Lane {
  readonly name: string;
  readonly spans: readonly LaneSpan[];
  readonly marks: readonly LaneMark[];
}

export type TimelineSource = Pick<
  ExperimentDetailView,
  "injections" | "recoveries" | "generations" | "saves" | "rate" | "endS"
>;

type Injection = TimelineSource["injections"][number];
type Recovery = TimelineSource["recoveries"][number];

export const spanWords: Readonly<Record<SpanKind, string>> = {
  fault: "fault in force",
  detect: "to detect",
  isolate: "to isolate",
  reform: "to re-form",
  load: "to load",
  first: "to the first step",
  regain: "to regain",
  steady: "to the usual rate",
  generation: "generation",
};

/** How a recovery went that is not over yet. */
export const goingOnPath = "going on";

/** More faults than this share one lane: the page must stay readable. */
export const faultLanesMax = 12;

/** The last moment anything is known of; at least a little, so that there is an axis. */
export function endOf(source: TimelineSource): number {
  const known = [
    source.endS ?? 0,
    ...source.injections.flatMap((one) => [one.injectedS, one.effectS, one.revertedS]),
    ...source.recoveries.flatMap((one) => one.phases.map(({ endS }) => endS)),
    ...source.generations.map(({ toS }) => toS),
    ...source.saves.map(({ atS }) => atS),
    source.rate?.times.at(-1) ?? 0,
  ];
  const end = known.reduce<number>((most, one) => Math.max(most, one ?? 0), 0);
  return end > 0 ? end : 1;
}

/** A run over its time: faults, recoveries by phase, generations, saves. Lanes without anything are left out. */
export function lanesOf(source: TimelineSource): readonly Lane[] {
  const endS = endOf(source);
  const injected = source.injections.filter(({ injectedS }) => injectedS !== null);
  const own = injected.slice(0, faultLanesMax);
  const rest = injected.slice(faultLanesMax);
  const lanes: Lane[] = own.map((one) => faultLane(`${one.fault} · ${one.target}`, [one], endS));
  if (rest.length > 0) lanes.push(faultLane(`${rest.length} more faults`, rest, endS));
  lanes.push(recoveryLane(source.recoveries, endS));
  lanes.push({ name: "generations", spans: generationSpans(source), marks: [] });
  lanes.push({ name: "saves", spans: [], marks: source.saves.map(saveMark) });
  return lanes.filter(({ spans, marks }) => spans.length + marks.length > 0);
}

function faultLane(name: string, injections: readonly Injection[], endS: number): Lane {
  return {
    name,
    spans: injections.flatMap(({ injectedS, revertedS, fault, target }) =>
      injectedS === null
        ? []
        : [
            {
              fromS: injectedS,
              toS: revertedS ?? endS,
              kind: "fault" as const,
              label: `${fault} on ${target}`,
              isOpen: revertedS === null,
            },
          ],
    ),
    marks: injections.flatMap(({ effectS, effect, fault }) =>
      effectS === null
        ? []
        : [{ atS: effectS, kind: "effect" as const, label: effect ?? `effect of ${fault}` }],
    ),
  };
}

/** Each phase from where the one before it ended, and no further than to the next recovery. */
function recoveryLane(recoveries: readonly Recovery[], endS: number): Lane {
  const spans = recoveries.flatMap((recovery, at) => {
    const nextS = recoveries[at + 1]?.effectS ?? Number.POSITIVE_INFINITY;
    return recovery.effectS === null ? [] : phaseSpans(recovery, recovery.effectS, { nextS, endS });
  });
  return { name: "recovery", spans, marks: [] };
}

function phaseSpans(
  { phases, path }: Recovery,
  effectS: number,
  limits: { readonly nextS: number; readonly endS: number },
): readonly LaneSpan[] {
  const found: LaneSpan[] = [];
  let fromS = effectS;
  for (const { phase, endS } of phases) {
    // What nobody noticed is over with the next step: it has no phases between.
    const isShown = isSpanKind(phase) && (path !== "none" || phase === "first");
    if (endS === null || !isShown) continue;
    const toS = Math.min(endS, limits.nextS);
    if (toS > fromS) {
      found.push({ fromS, toS, kind: phase, label: spanWords[phase], isOpen: false });
    }
    fromS = Math.max(fromS, toS);
  }
  const first = phases.find(({ phase }) => phase === "first");
  if (first?.endS === null && path !== "cleanFailure") {
    const toS = Math.max(fromS, limits.endS);
    const label = path === goingOnPath ? "not recovered yet" : "never recovered";
    found.push({ fromS, toS, kind: "first", label, isOpen: true });
  }
  return found;
}

function isSpanKind(phase: string): phase is SpanKind {
  return Object.hasOwn(spanWords, phase);
}

function generationSpans({ generations }: TimelineSource): readonly LaneSpan[] {
  return generations.map(({ fromS, toS, ranks, reason }, at) => ({
    fromS,
    toS,
    kind: "generation",
    label: `${at + 1}: ${ranks} ${ranks === 1 ? "rank" : "ranks"}${reason === "" ? "" : ` (${reason})`}`,
    isOpen: false,
  }));
}

function saveMark({ atS, tag, ok }: TimelineSource["saves"][number]): LaneMark {
  return { atS, kind: ok ? "save" : "bad", label: ok ? `saved ${tag}` : `${tag} was not saved` };
}

/** What was going on at a moment, in words; for the readout under the pointer. */
export function happeningAt(lanes: readonly Lane[], atS: number): readonly string[] {
  return lanes.flatMap((lane) =>
    lane.spans
      .filter(({ fromS, toS }) => fromS <= atS && atS <= toS)
      .map(({ kind, label }) =>
        kind === "fault" ? label : kind === "generation" ? `generation ${label}` : label,
      ),
  );
}
