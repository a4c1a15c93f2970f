import type { Answer, DetectorPlan, FaultPlan } from "./fault-plan.ts";

/** What was seen of a fault once it was over; absent: nobody looked. */
export interface ObservedFault {
  /** Who saw the line or set a condition, and how long after it. */
  readonly detected?: readonly { readonly by: string; readonly afterMs?: number }[];
  /** Who closed the node; null: nobody did. */
  readonly cordonedBy?: string | null;
  /** From the line on. */
  readonly cordonAfterMs?: number;
  /** How far NVSentinel's drain came: the value of its state label; null: it did not begin. */
  readonly drainState?: string | null;
  /** Pods that left the node, by name. */
  readonly podsGone?: readonly string[];
  /** The machine's boot id changed. */
  readonly rebooted?: boolean;
}

/** One thing that was foretold, beside what was seen. */
export interface Comparison {
  readonly what: string;
  readonly predicted: string;
  readonly observed: string;
  readonly agrees: true | false | "unknown";
}

/** Puts what was foretold beside what was seen. What was not looked at, or not foretold, agrees with nothing. */
export function compareWithObserved(
  plan: FaultPlan,
  observed: ObservedFault,
): readonly Comparison[] {
  const marking = plan.detectors.filter(({ name }) => name === "nvsentinel" || name === "tessera");
  return [
    ...marking.flatMap((each) => detectorRows(each, observed)),
    ...(marking.length === 0 ? [] : [drainRow(plan, observed)]),
    row("real reboot", plan.realReboot, answer(observed.rebooted)),
  ];
}

function detectorRows(each: DetectorPlan, observed: ObservedFault): readonly Comparison[] {
  const seen = observed.detected?.find(({ by }) => by === each.name);
  const detects = each.matched && each.isFatal ? each.present : "no";
  const wasSeen = observed.detected === undefined ? "unknown" : answer(seen !== undefined);
  const closed =
    observed.cordonedBy === undefined ? "unknown" : answer(observed.cordonedBy === each.name);
  return [
    row(`${each.name} detects`, detects, wasSeen),
    row(`${each.name} cordons`, each.cordon, closed),
    ...timeRow(each, observed),
  ];
}

function timeRow(each: DetectorPlan, observed: ObservedFault): readonly Comparison[] {
  const { timing } = each;
  if (timing === undefined || observed.cordonedBy !== each.name) return [];
  const afterMs = observed.cordonAfterMs;
  return [
    {
      what: `${each.name} cordons after`,
      predicted: `${timing.fromMs / 1000} to ${timing.toMs / 1000} s`,
      observed: afterMs === undefined ? "unknown" : `${(afterMs / 1000).toFixed(1)} s`,
      agrees:
        afterMs === undefined ? "unknown" : afterMs >= timing.fromMs && afterMs <= timing.toMs,
    },
  ];
}

function drainRow({ detectors }: FaultPlan, observed: ObservedFault): Comparison {
  const sentinel = detectors.find(({ name }) => name === "nvsentinel");
  const drain = sentinel?.drain ?? "none";
  const predicted: Answer = drain.startsWith("none")
    ? "no"
    : sentinel?.cordon === "yes" && !drain.startsWith("unknown")
      ? "yes"
      : "unknown";
  const { drainState } = observed;
  const began = drainState === undefined ? "unknown" : answer(drainState?.startsWith("drain"));
  return row("nvsentinel drains", predicted, began);
}

function row(what: string, predicted: Answer, observed: Answer): Comparison {
  const agrees =
    predicted === "unknown" || observed === "unknown" ? "unknown" : predicted === observed;
  return { what, predicted, observed, agrees };
}

function answer(value: boolean | undefined | null): Answer {
  if (value === undefined) return "unknown";
  return value === true ? "yes" : "no";
}
