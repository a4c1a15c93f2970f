import type { Fitted, ModelFit } from "../fits/index.ts";
import type { Knob } from "../step/types.ts";
import { compareWithMegatron } from "./published.ts";
import type { ModelledStudy, ScalingStudy } from "./types.ts";

/** What a cause is called in a sentence. */
export const causeNames: Readonly<Record<Knob, string>> = {
  latency: "latency",
  "link-bandwidth": "link bandwidth",
  "network-bandwidth": "network bandwidth",
  bubble: "pipeline bubble",
  skew: "stragglers",
  checkpoint: "checkpoints",
  kernels: "small kernels",
  remainder: "uneven batch",
  serial: "serial work",
};

/** A share for people: two digits, or all before the point. */
export function percent(share: number): string {
  const value = 100 * share;
  const text = Math.abs(value) >= 10 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();
  return `${text} %`;
}

/** What limits the scaling, in one sentence, and what would help. */
export function bottleneckSentence(study: ScalingStudy): string {
  if (study.source === "measured") return study.reading;
  const { bottleneck, curve } = study;
  const [first, last] = [curve.points[0]?.devices ?? 1, curve.points.at(-1)?.devices ?? 1];
  const { cause, label, share, help, of, from = first } = bottleneck;
  if (cause === "compute") {
    return `${capital(label)}: ${percent(share)} of a step of ${last} devices is perfect computation. ${help}`;
  }
  const what =
    of === "growth"
      ? `of the device time that ${last} devices lose and ${from} would not`
      : `${first === last ? "" : "hardly more is lost than with fewer devices; "}of the device time that ${last} devices lose`;
  return `${capital(label)}: ${what}, ${percent(share)} go to ${causeNames[cause]}. ${help}`;
}

/** With a capital at its beginning. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What was looked at, in one line. */
export function subjectOf(study: ScalingStudy): string {
  if (study.source === "measured") return `${study.kind} scaling of the runs in ${study.table}`;
  const { kind, workload, topology, deterministic } = study;
  const { batch } = workload;
  const load =
    kind === "strong"
      ? `${batch.global} sequences in each step`
      : `${batch.perDevice} sequences for each device`;
  const order = deterministic ? ", sums in a fixed order" : "";
  return `${kind} scaling of ${workload.title}, ${load}, on ${topology.title} (${topology.name})${order}`;
}

/** The knee, the turning point and the serial share, a sentence each. */
export function findingsOf(study: ScalingStudy): readonly string[] {
  const { knee, retrograde, karpFlatt, best } = study.fits;
  return [
    kneeSentence(knee),
    retrogradeSentence(retrograde),
    ...(karpFlatt.status === "fitted"
      ? [`Karp and Flatt: ${karpFlatt.reading}`]
      : [`Karp and Flatt: inconclusive, ${karpFlatt.reason}.`]),
    ...(best.status === "fitted"
      ? [
          `Best law: ${best.model}, with a weight of ${percent(best.weights[best.model] ?? 0)} (AICc).`,
        ]
      : [`Best law: inconclusive, ${best.reason}.`]),
    ...(study.source === "modelled" ? [determinismSentence(study)] : []),
  ];
}

function kneeSentence(knee: ScalingStudy["fits"]["knee"]): string {
  if (knee.status === "inconclusive") return `Knee: inconclusive, ${knee.reason}.`;
  const { byGain, byResiduals, gainMin } = knee;
  const broken =
    byResiduals === undefined
      ? ""
      : ` The log-log curve breaks at ${byResiduals.devices}: its slope falls from ${byResiduals.slopeBefore.toFixed(2)} to ${byResiduals.slopeAfter.toFixed(2)}.`;
  if (byGain === undefined) {
    return `Knee: none, every doubling of devices gains ${percent(gainMin)} or more.${broken}`;
  }
  const at = `${byGain.devices} device${byGain.devices === 1 ? "" : "s"}`;
  return `Knee: ${at}; beyond, a doubling gains less than ${percent(gainMin)}, the next one ${percent(byGain.nextGain)}.${broken}`;
}

function retrogradeSentence(retrograde: ScalingStudy["fits"]["retrograde"]): string {
  if (retrograde.status === "inconclusive") {
    return `Turning point: inconclusive, ${retrograde.reason}.`;
  }
  const { devices, extrapolated, speedUp = 0 } = retrograde;
  if (devices === undefined) return "Turning point: none by the universal scalability law.";
  const beyond = extrapolated === true ? ", beyond what was looked at" : "";
  return `Turning point: ${devices} devices by the universal scalability law${beyond}, with a speed-up of ${Number(speedUp.toPrecision(3))}.`;
}

function determinismSentence({ counts }: ModelledStudy): string {
  const last = counts.at(-1);
  if (last === undefined) return "";
  const { price } = last.determinism;
  const less =
    price < -0.0005 ? " (less than nothing: the fixed order beats what the library chooses)" : "";
  return `Price of determinism: sums in a fixed order make a step of ${last.devices} devices ${percent(price)} longer${less}; slower kernels are not counted.`;
}

/** A law's parameters with their intervals. */
export function parametersText(fit: Fitted<ModelFit>): readonly string[] {
  if (fit.status === "inconclusive") return [`inconclusive: ${fit.reason}`];
  const small = (value: number) => Number(value.toPrecision(2)).toString();
  const parts = Object.entries(fit.parameters).map(([name, { value, interval }]) => {
    const between =
      interval === undefined ? "" : ` (${small(interval.low)} to ${small(interval.high)})`;
    const bound = fit.atBound.includes(name) ? " at its bound" : "";
    return `${name} ${small(value)}${bound}${between}`;
  });
  return parts.length === 0 ? ["-"] : parts;
}

const drawnFrom = {
  runs: "the runs",
  residuals: "the residuals",
  both: "the runs, and for laws of the residuals too where those are wider",
} as const;

/** How the figures came about, for the end of every report. */
export function notesOf(study: ScalingStudy): readonly string[] {
  const { confidence } = study.fits;
  const drawn =
    confidence.from === "none"
      ? []
      : [
          `Intervals hold ${percent(confidence.level)} of ${confidence.resamples} resamples of ${drawnFrom[confidence.from]}.`,
        ];
  if (study.source === "measured") {
    return [
      "Times are measured, by whoever wrote the table; laws are fitted.",
      ...drawn,
      ...study.notes,
    ];
  }
  const leftOut = study.leftOut.map(
    ({ devices, reason }) => `Left out: ${devices} device${devices === 1 ? "" : "s"}, ${reason}.`,
  );
  return [
    "All times are modelled, none was measured.",
    ...drawn,
    ...leftOut,
    ...study.notes,
    megatronNote(),
  ];
}

function megatronNote(): string {
  const { name, publishedEfficiency, modelledEfficiency, off, assumed } = compareWithMegatron();
  const signed = `${off < 0 ? "-" : "+"}${percent(Math.abs(off))}`;
  return `How far off the model is: for ${name}, Megatron-LM published an efficiency of ${publishedEfficiency}, and the model says ${modelledEfficiency.toFixed(2)} (${signed}) with ${assumed}, which are assumed; with 2 virtual stages it says ${compareWithMegatron(2).modelledEfficiency.toFixed(2)}, with 8 ${compareWithMegatron(8).modelledEfficiency.toFixed(2)}. No independent check: how gradients overlap with interleaved stages was settled with this figure in view.`;
}
