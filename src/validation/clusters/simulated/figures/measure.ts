import type { Rng, RngStream } from "../../../../platform/rng/index.ts";
import type { RunFigure } from "../../../run.ts";
import type { Defect } from "../world/defect.ts";
import { type Effect, effectOf } from "./effects.ts";
import type { FigureModel } from "./models.ts";
import { between, gaussian, heavyTailed } from "./noise.ts";
import { storageSlowness } from "./slow-hours.ts";

/** One run of a check, as its figures depend on it. */
export interface Measurement {
  readonly rng: Rng;
  readonly runId: string;
  /** The place of the node in the cluster. */
  readonly node: number;
  readonly gpus: number;
  readonly check: string;
  readonly models: readonly FigureModel[];
  readonly defects: readonly Defect[];
  readonly atMs: number;
  /** Share of hours in which storage is slow for everyone. */
  readonly slowStorageHours: number;
}

/** The chance that one run of `dl-unit` meets a wrong answer on a node that gives some. */
const wrongAnswerShown = 0.7;

/** What a check measures: healthy noise, and what the node's defects make of it. */
export function measure(run: Measurement): {
  readonly figures: Readonly<Record<string, RunFigure>>;
  readonly hardFacts: readonly string[];
} {
  const random = run.rng.stream("figures", run.runId);
  const figures: Record<string, RunFigure> = {};
  for (const model of run.models) {
    const effects = effectsOn(run, model);
    const runNoise = model.runSigma * (model.heavyTails ? heavyTailed : gaussian)(random);
    const own = run.rng.stream("node figures", run.node, run.check, model.name);
    const level = Math.log(model.base) + turned(model, model.nodeSigma * gaussian(own) + runNoise);
    if (!model.perGpu) figures[model.name] = figureOf(model, effects, { level, random });
    else {
      for (let gpu = 0; gpu < run.gpus; gpu++) {
        const offset = turned(model, model.gpuSigma * gaussian(own));
        const place = { level: level + offset, random, gpu };
        figures[`${model.name}.gpu${gpu}`] = figureOf(model, effects, place);
      }
    }
  }
  return { figures, hardFacts: hardFactsOf(run, random) };
}

/** A change for the better, as a change of the logarithm. */
function turned({ higherIsBetter }: FigureModel, better: number): number {
  return higherIsBetter ? better : -better;
}

function effectsOn(run: Measurement, { name }: FigureModel): readonly Effect[] {
  const { check, atMs } = run;
  const effects = run.defects.flatMap((defect) => {
    return effectOf(defect, { check, figure: name, atMs }) ?? [];
  });
  const loss = check === "storage-io" ? storageSlowness(run.rng, atMs, run.slowStorageHours) : 0;
  return loss === 0 ? effects : [...effects, { loss }];
}

interface Place {
  readonly level: number;
  readonly random: RngStream;
  readonly gpu?: number;
}

function figureOf(model: FigureModel, effects: readonly Effect[], place: Place): RunFigure {
  const { level, random, gpu } = place;
  const noise = model.heavyTails ? heavyTailed : gaussian;
  const samples = Array.from({ length: model.samples }, () => {
    let better = model.sampleSigma * noise(random);
    for (const { loss, ofGpu, stalls } of effects) {
      better -= loss;
      if (ofGpu !== undefined && ofGpu.gpu === gpu) better -= ofGpu.loss;
      if (stalls !== undefined && random.float() < stalls.share) better -= stalls.loss;
    }
    return Number(Math.exp(level + turned(model, better)).toPrecision(7));
  });
  return { samples, higherIsBetter: model.higherIsBetter, unit: model.unit };
}

function hardFactsOf({ check, defects }: Measurement, random: RngStream): readonly string[] {
  if (check !== "dl-unit") return [];
  const wrong = defects.find(({ kind }) => kind === "wrong-answers");
  if (wrong === undefined || random.float() >= wrongAnswerShown) return [];
  const values = Math.ceil(between(random, 0, 40));
  return [`gemm on GPU ${wrong.gpu} gave ${values} of 67108864 values wrong`];
}
