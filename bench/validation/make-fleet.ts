import { createRng, type Rng, type RngStream } from "../../src/platform/rng/index.ts";
import type { CheckRun, FigureSamples } from "../../src/validation/classify/index.ts";
import type { DefectKind, FleetSpec } from "./fleet-spec.ts";
import { between, gaussian, heavyTailed } from "./noise.ts";

/** A run of a synthetic fleet with the truth about it. */
export interface TrueRun {
  readonly run: CheckRun;
  /** The defect of its node; undefined for a healthy one. */
  readonly defect: DefectKind | undefined;
  /** The loss at the time of this run, in standard deviations; 0 when healthy. */
  readonly strength: number;
  /** It was taken during an incident. */
  readonly inIncident: boolean;
  /** It is incomplete or garbled, and must never pass. */
  readonly garbled: boolean;
}

const startMs = Date.UTC(2026, 0, 5);
const hourMs = 3_600_000;
const gpus = 8;

interface NodeTruth {
  readonly name: string;
  readonly cohort: number;
  readonly defect: DefectKind | undefined;
  readonly effect: number;
  readonly figure: number;
  readonly gpu: number;
  readonly stallShare: number;
  readonly onset: number;
  /** Its own offset in each figure, in logarithms. */
  readonly offsets: readonly number[];
  readonly gpuOffsets: readonly (readonly number[])[];
}

/** Makes a fleet: runs in random order, each with the truth about it. */
export function makeFleet(spec: FleetSpec): readonly TrueRun[] {
  const rng = createRng(`${spec.name}/${spec.seed}`);
  const random = rng.stream("fleet");
  const bases = Array.from({ length: spec.metrics }, () => between(random, 20, 500));
  const nodes = Array.from({ length: spec.nodes }, (_, at) => makeNode(spec, rng, at));
  const runs = nodes.flatMap((node, at) =>
    Array.from({ length: spec.runsPerNode }, (_, turn) =>
      makeRun(spec, { node, bases, turn, random: rng.stream("run", at, turn) }),
    ),
  );
  return rng.stream("order").shuffle(runs);
}

function makeNode(spec: FleetSpec, rng: Rng, at: number): NodeTruth {
  const random = rng.stream("node", at);
  // Defects are dealt out evenly, so that every fleet has its share of them.
  const count = Math.round(spec.defectShare * spec.nodes);
  const rank = rng
    .stream("defects")
    .shuffle(Array.from({ length: spec.nodes }, (_, i) => i))
    .indexOf(at);
  const kinds = spec.defects.filter((kind) => shows(kind, spec.layout));
  const defect = rank < count ? kinds[rank % kinds.length] : undefined;
  const nodeSigma = spec.noise * Math.sqrt(spec.nodeShare);
  const second = random.float() < spec.population.share;
  const shift = second ? -spec.population.gap * spec.noise : 0;
  return {
    name: `node-${String(at).padStart(4, "0")}`,
    cohort: at % spec.cohorts,
    defect,
    effect: between(random, ...spec.effect),
    figure: random.int(spec.metrics),
    gpu: random.int(gpus),
    stallShare: between(random, 0.08, 0.3),
    onset: between(random, 0, 0.4),
    offsets: Array.from({ length: spec.metrics }, () => shift + nodeSigma * gaussian(random)),
    gpuOffsets: Array.from({ length: spec.metrics }, () =>
      Array.from({ length: gpus }, () => 0.5 * spec.sampleNoise * gaussian(random)),
    ),
  };
}

/** The standard deviation of a run's measured level: of nodes, of runs, and of finite samples. */
function runSigma({ noise, sampleNoise, samples, layout }: FleetSpec): number {
  const count = layout === "iterations" ? samples : layout === "per-gpu" ? gpus : gpus * samples;
  return Math.hypot(noise, (1.1 * sampleNoise) / Math.sqrt(count));
}

/** Iterations of a whole node do not tell its GPUs apart, and one value a GPU shows no stalls. */
function shows(kind: DefectKind, layout: FleetSpec["layout"]): boolean {
  if (kind === "slow-gpu") return layout !== "iterations";
  return kind !== "stalls" || layout !== "per-gpu";
}

interface RunInput {
  readonly node: NodeTruth;
  readonly bases: readonly number[];
  readonly turn: number;
  readonly random: RngStream;
}

function makeRun(spec: FleetSpec, { node, bases, turn, random }: RunInput): TrueRun {
  // One run a day; all within the working hours of that day.
  const timestampMs = startMs + turn * 24 * hourMs + between(random, 0, 8) * hourMs;
  const inIncident = incidentAt(spec, node, { turn, timestampMs });
  const progress = spec.runsPerNode === 1 ? 1 : turn / (spec.runsPerNode - 1);
  const strength = strengthAt(node, progress);
  const odd = node.defect === undefined && random.float() < spec.transients;
  const blip = node.defect === undefined && random.float() < spec.blips;
  const figures = new Map<string, FigureSamples>();
  const scale = unitScale(spec, random);
  for (const [at, base] of bases.entries()) {
    const heavyRun = spec.heavyTails === "runs" || spec.heavyTails === "both";
    const noise =
      (heavyRun ? heavyTailed : gaussian)(random) * spec.noise * Math.sqrt(1 - spec.nodeShare);
    const level = Math.log(base) - 0.1 * node.cohort + (node.offsets[at] ?? 0) + noise;
    const shifted =
      level - (inIncident ? 0.25 : 0) - (odd ? between(random, 8, 20) * spec.noise : 0);
    const hit = node.defect !== undefined && (spec.everyFigure || node.figure === at);
    const input = { node, figure: at, level: shifted, strength: hit ? strength : 0, blip };
    for (const [name, logs] of sampleLogs(spec, input, random)) {
      const sign = spec.lowerIsBetter ? -1 : 1;
      const samples = Float64Array.from(logs, (log) => scale.factor * Math.exp(sign * log));
      figures.set(name, { samples, higherIsBetter: !spec.lowerIsBetter, unit: scale.unit });
    }
  }
  const { completed, garbled } = spoil(spec, figures, random);
  const cohort = spec.cohorts > 1 ? { cohort: `image-${node.cohort}` } : {};
  const run = {
    node: node.name,
    check: "synthetic",
    sku: "sku-a",
    ...cohort,
    timestampMs,
    completed,
    figures,
  };
  return { run, defect: node.defect, strength, inIncident, garbled };
}

function strengthAt({ defect, effect, onset }: NodeTruth, progress: number): number {
  if (defect === undefined) return 0;
  if (defect !== "decay") return effect;
  return effect * Math.max(0, (progress - onset) / (1 - onset));
}

function incidentAt(
  spec: FleetSpec,
  { cohort }: NodeTruth,
  { turn, timestampMs }: { readonly turn: number; readonly timestampMs: number },
): boolean {
  if (turn !== Math.floor(spec.runsPerNode / 2)) return false;
  const hour = ((timestampMs - startMs) % (24 * hourMs)) / hourMs;
  if (spec.incident === "hour") return hour >= 3 && hour < 4;
  return spec.incident === "cohort-day" && cohort === 0;
}

function unitScale(
  spec: FleetSpec,
  random: RngStream,
): { readonly factor: number; readonly unit: string } {
  const other = random.float() < spec.otherUnits;
  if (spec.lowerIsBetter) return other ? { factor: 1000, unit: "us" } : { factor: 1, unit: "ms" };
  if (!other) return { factor: 1, unit: "GB/s" };
  return random.float() < 0.5 ? { factor: 1000, unit: "MB/s" } : { factor: 8, unit: "Gb/s" };
}

interface SampleInput {
  readonly node: NodeTruth;
  readonly figure: number;
  readonly level: number;
  /** How strong the node's defect is in this figure now. */
  readonly strength: number;
  readonly blip: boolean;
}

/** The logarithms of samples, of one figure or of one for each GPU. */
function sampleLogs(
  spec: FleetSpec,
  { node, figure, level, strength, blip }: SampleInput,
  random: RngStream,
): readonly (readonly [string, number[]])[] {
  const uniform = node.defect === "uniform" || node.defect === "decay";
  const centre = level - (uniform ? strength * runSigma(spec) : 0);
  const heavy = spec.heavyTails === "samples" || spec.heavyTails === "both";
  const draw = () => (heavy ? heavyTailed : gaussian)(random) * spec.sampleNoise;
  const stalls = node.defect === "stalls" ? node.stallShare : 0;
  const sample = () => draw() - (random.float() < stalls ? strength * spec.sampleNoise : 0);
  const slowGpu = node.defect === "slow-gpu" ? strength * spec.sampleNoise : 0;
  const offsetOf = (gpu: number) =>
    (node.gpuOffsets[figure]?.[gpu] ?? 0) - (gpu === node.gpu ? slowGpu : 0);
  const name = `figure${figure}`;
  if (spec.layout === "gpu-names") {
    return Array.from({ length: gpus }, (_, gpu) => {
      const logs = Array.from({ length: spec.samples }, () => centre + offsetOf(gpu) + sample());
      return [`${name}.gpu${gpu}`, logs] as const;
    });
  }
  if (spec.layout === "per-gpu") {
    const logs = Array.from({ length: gpus }, (_, gpu) => centre + offsetOf(gpu) + 0.85 * sample());
    return [[name, random.shuffle(logs)]];
  }
  const logs = Array.from({ length: spec.samples }, () => centre + sample());
  if (blip) logs[random.int(logs.length)] = centre - between(random, 10, 30) * spec.sampleNoise;
  return [[name, logs]];
}

/** Makes some runs incomplete or garbled, in one of the ways that happen. */
function spoil(
  spec: FleetSpec,
  figures: Map<string, FigureSamples>,
  random: RngStream,
): { readonly completed: boolean; readonly garbled: boolean } {
  if (random.float() >= spec.garbled) return { completed: true, garbled: false };
  const [name, figure] = random.pick([...figures]);
  const way = random.int(5);
  const changed = (samples: Float64Array) => figures.set(name, { ...figure, samples });
  if (way === 0) return { completed: false, garbled: true };
  if (way === 1) changed(figure.samples.map((value, at) => (at === 0 ? Number.NaN : value)));
  if (way === 2) changed(figure.samples.map((value, at) => (at === 0 ? 0 : value)));
  if (way === 3) changed(figure.samples.slice(1));
  if (way === 4) figures.delete(name);
  return { completed: true, garbled: true };
}
