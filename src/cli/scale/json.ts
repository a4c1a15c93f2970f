import { worstVerdict } from "../../platform/words.ts";
import type {
  ModelledCount,
  ModelledStudy,
  RuleVerdict,
  ScalingStudy,
} from "../../runtime/scaling/study/index.ts";
import { bottleneckSentence, notesOf } from "../../runtime/scaling/study/words.ts";

/** The version of what programs read; it changes when a field goes or changes its meaning. */
const version = 1;

/** The report for programs. Times are seconds, shares are of 1. */
export function jsonOfStudy(
  study: ScalingStudy,
  verdicts: readonly RuleVerdict[],
): Record<string, unknown> {
  const modelled = study.source === "modelled";
  return {
    format: "tessera-scaling",
    version,
    kind: study.kind,
    source: study.source,
    ...(modelled ? systemOf(study) : { table: study.table }),
    baseDevices: study.curve.baseDevices,
    summary: bottleneckSentence(study),
    ...(modelled ? { bottleneck: study.bottleneck } : {}),
    points: study.curve.points.map((point, at) => ({
      ...point,
      ...(modelled ? detailsOf(study.counts[at]) : {}),
    })),
    ...(modelled ? { leftOut: study.leftOut } : {}),
    fits: study.fits,
    ...(verdicts.length === 0
      ? {}
      : { verdict: worstVerdict(verdicts.map(({ verdict }) => verdict)), verdicts }),
    notes: notesOf(study),
  };
}

function systemOf({ topology, workload, deterministic }: ModelledStudy) {
  return { topology: topology.name, workload: workload.name, deterministic };
}

function detailsOf(count: ModelledCount | undefined): Record<string, unknown> {
  if (count === undefined) return {};
  const { split, memory, attribution, determinism, groups } = count;
  const { step, idealS, lostS, causesS, aloneS, bottleneck } = attribution;
  return {
    split,
    memory,
    tokensPerSecond: step.tokens / step.timeS,
    modelFlopsShare: step.modelFlopsShare,
    partsS: step.partsS,
    idealS,
    lostS,
    causesS,
    aloneS,
    bottleneck,
    determinism,
    groups,
  };
}
