import { TesseraError } from "../../../platform/errors/index.ts";
import type { RankOutcome } from "../../../runtime/ranks/ranks.ts";
import { version } from "../../../version.ts";
import type { RunFigure } from "../../run.ts";
import type { CheckContext, CheckOutput } from "../check.ts";
import { busbwFigure } from "./cases/collectives.ts";
import { taskOf } from "./choose-engine.ts";
import { combineReports } from "./combine.ts";
import { cpuGoldens } from "./cpu-goldens.ts";
import { type DeviceReport, deviceReportSchema } from "./device-report.ts";
import type { NcclWay } from "./group/nccl-way.ts";
import {
  type DeviceFailure,
  type DevicesEnd,
  isConsequence,
  launchDevices,
} from "./launch-devices.ts";
import type { DlUnitOptions } from "./options.ts";

/** The inputs are the same in every run, or digests of different runs could not be compared. */
const seed = "dl-unit 1";

/** What deep learning has besides, and what tests it. */
const elsewhere = {
  "convolutions, recurrent layers, batch norm, sorting": "engine torch, where PyTorch is installed",
  "collectives through the network cards": "nccl-loopback",
};

/**
 * Runs the cases on every device at once, one process each, and votes on their answers.
 *
 * @throws TesseraError E_CHECK_FAILED when a device was lost or could not run a case.
 */
export async function runOnDevices(
  context: CheckContext<DlUnitOptions>,
  { engine, worldSize }: { readonly engine: "cuda" | "cpu"; readonly worldSize: number },
): Promise<CheckOutput> {
  const { options, profile, log } = context;
  const task = taskOf(options, { engine, profile, seed });
  const rehearsed = options.corrupt === undefined ? "" : " (broken on purpose)";
  let problems = 0;
  const noteFact = (sentence: string) => {
    problems++;
    log(sentence);
    context.noteHardFact(`${sentence}${rehearsed}`);
  };
  log(`${task.cases.length} cases on ${worldSize} ${engine === "cuda" ? "GPUs" : "processes"}`);
  const { ended, telemetry, way } = await launchDevices(context, {
    engine,
    task,
    worldSize,
    noteFact,
  });
  for (const sentence of telemetry.hardFacts) noteFact(sentence);
  const reports = reportsOf(ended, noteFact);
  const goldens = { ...cpuGoldens, ...options.goldens };
  const combined = combineReports(reports, goldens);
  for (const sentence of combined.hardFacts) noteFact(sentence);
  return {
    figures: namedByScale(namedByWay(combined.figures, way?.way), options.scale),
    hardFacts: [],
    facts: {
      version,
      engine,
      profile,
      scale: options.scale,
      problems,
      ...combined.facts,
      ...(way === undefined ? {} : { exchangedOver: `${way.way} (${way.transports.join(", ")})` }),
      elsewhere,
      telemetry: telemetry.facts,
    },
    // Other software, sizes or numbers of devices are another measurement.
    cohort: cohortOf(reports, { engine, profile, options, worldSize }),
  };
}

/**
 * What the devices handed in. Faults that an error names are hard facts even so.
 *
 * @throws TesseraError E_CHECK_FAILED, which names the device that was the first to fail.
 */
function reportsOf(
  ended: DevicesEnd,
  noteFact: (sentence: string) => void,
): readonly DeviceReport[] {
  const fail = (problem: string) =>
    new TesseraError("E_CHECK_FAILED", { check: "dl-unit", problem });
  const failure = "failure" in ended ? ended.failure : firstFailure(ended.outcomes);
  if (failure !== undefined) {
    const sentence = `device ${failure.rank}: ${failure.text}`;
    if (hardwareFaults.some((name) => failure.text.includes(name))) noteFact(sentence);
    throw fail(sentence.replace(/\.$/, ""));
  }
  if ("failure" in ended) return [];
  const lost = ended.outcomes.find(isFirstLost);
  if (lost?.ended === "lost") throw fail(`device ${lost.rank} was lost: ${lost.reason}`);
  return ended.outcomes.map((outcome) => {
    if (outcome.ended === "failed") throw fail(`device ${outcome.rank}: ${outcome.error.message}`);
    if (outcome.ended === "lost") throw fail(`device ${outcome.rank} did not complete`);
    const parsed = deviceReportSchema.safeParse(outcome.value);
    if (parsed.success) return parsed.data;
    throw fail(`device ${outcome.rank} handed in something else than a report`);
  });
}

/** A device that failed by itself, and not because another was gone. */
function firstFailure(outcomes: readonly RankOutcome[]): DeviceFailure | undefined {
  for (const outcome of outcomes) {
    if (outcome.ended !== "failed" || isConsequence(outcome.error.code)) continue;
    return { rank: outcome.rank, text: outcome.error.message };
  }
  return undefined;
}

/** Lost by itself, and not stopped because another was. */
function isFirstLost(outcome: RankOutcome): boolean {
  return outcome.ended === "lost" && !outcome.reason.startsWith("stopped because");
}

/** What a floor says of full size says nothing of other sizes, so their figures have other names. */
function namedByScale(figures: CheckOutput["figures"], scale: number): CheckOutput["figures"] {
  if (scale === 1) return figures;
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [`scaled_${name}`, figure]),
  );
}

/** The bandwidth between GPUs has the name of what carried the data. */
function namedByWay(
  figures: Readonly<Record<string, RunFigure>>,
  way: NcclWay = "nccl",
): Readonly<Record<string, RunFigure>> {
  const { [busbwFigure]: busbw, ...others } = figures;
  return busbw === undefined ? figures : { ...others, [`${way}_${busbwFigure}`]: busbw };
}

/** Errors of CUDA that are the hardware's own, whatever the program. */
const hardwareFaults = [
  "CUDA_ERROR_ECC_UNCORRECTABLE",
  "CUDA_ERROR_NVLINK_UNCORRECTABLE",
  "CUDA_ERROR_HARDWARE_STACK_ERROR",
  "CUDA_ERROR_CONTAINED",
];

function cohortOf(
  reports: readonly DeviceReport[],
  given: {
    readonly engine: string;
    readonly profile: string;
    readonly options: DlUnitOptions;
    readonly worldSize: number;
  },
): string {
  const { engine, profile, options, worldSize } = given;
  const [first] = reports;
  const software = first?.softwareKey ?? engine;
  const parts = [software, `${worldSize} devices`, profile];
  if (engine === "cpu") parts.push(first?.device.model ?? "");
  if (options.scale !== 1) parts.push(`scale ${options.scale}`);
  if (options.cases !== undefined) parts.push(options.cases.join("+"));
  return parts.join(", ").slice(0, 500);
}
