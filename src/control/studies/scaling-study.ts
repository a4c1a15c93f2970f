import { TesseraError } from "../../platform/errors/index.ts";
import { settle } from "../../platform/time/index.ts";
import {
  countsDefault,
  type ModelledStudy,
  modelScalingInTurns,
  parseDeviceCounts,
} from "../../runtime/scaling/study/index.ts";
import { bottleneckSentence, notesOf } from "../../runtime/scaling/study/words.ts";
import { workloadDefault } from "../../runtime/scaling/workload/index.ts";
import type { ScalingQuery, ScalingStudyView } from "../api/studies.ts";

const route = "GET /api/v1/studies/scaling";
/** Enough for a curve; each takes some milliseconds. */
const countsMax = 24;

/** How a workload scales on a system by the model. Others have their turn between two counts. */
export async function scalingStudy(query: ScalingQuery): Promise<ScalingStudyView> {
  const { kind, topology, workload = workloadDefault, devices = countsDefault } = query;
  const counts = parseDeviceCounts(devices, countsMax);
  if (typeof counts === "string") {
    const problem = `\`devices\`: ${counts}.`;
    throw new TesseraError("E_REQUEST_INVALID", { part: "query", problem, route });
  }
  // Intervals are not shown, and resampling for them takes longer than all the rest.
  const options = { kind, devices: counts, topology, workload, resamples: 0 } as const;
  const study = await modelScalingInTurns(options, settle);
  return studyView(study, commandOf({ kind, topology, workload, devices }));
}

function studyView(study: ModelledStudy, command: string): ScalingStudyView {
  const { kind, topology, workload, curve, counts, bottleneck, fits } = study;
  const { confidence, knee } = fits;
  const told = {
    ...study,
    fits: { ...fits, confidence: { ...confidence, from: "none" as const } },
  };
  return {
    kind,
    topology: topology.name,
    workload: workload.name,
    provenance: "modelled",
    summary: bottleneckSentence(study),
    bottleneck: bottleneck.label,
    points: curve.points.map(({ devices, timeS, speedUp, efficiency }, at) => {
      const attribution = counts[at]?.attribution;
      return {
        devices,
        timeS,
        speedup: speedUp,
        efficiency,
        tokensPerSecond:
          attribution === undefined ? 0 : attribution.step.tokens / attribution.step.timeS,
        causesS: { ...attribution?.causesS },
      };
    }),
    knee: knee.status === "fitted" ? (knee.byGain?.devices ?? null) : null,
    notes: [...notesOf(told)],
    command,
  };
}

function commandOf(about: {
  readonly kind: string;
  readonly topology: string;
  readonly workload: string;
  readonly devices: string;
}): string {
  const { kind, topology, workload, devices } = about;
  return `tessera scale ${kind} --topology ${topology} --workload ${workload} --devices ${devices}`;
}
