import { TesseraError } from "../../../platform/errors/index.ts";
import type { RankOutcome } from "../../../runtime/ranks/ranks.ts";
import { version } from "../../../version.ts";
import type { CheckContext, CheckOutput } from "../check.ts";
import { taskOf } from "./choose-engine.ts";
import { combineReports } from "./combine.ts";
import { cpuGoldens } from "./cpu-goldens.ts";
import {
  type DeviceReport,
  type DeviceTask,
  deviceReportSchema,
  type Progress,
  progressSchema,
} from "./device-report.ts";
import { openWatch } from "./open-watch.ts";
import type { DlUnitOptions } from "./options.ts";

/** The inputs are the same in every run, or digests of different runs could not be compared. */
const seed = "dl-unit 1";
const minuteMs = 60_000;
const timeLimitMs = { quick: 15 * minuteMs, standard: 90 * minuteMs, soak: 120 * minuteMs };
/** The longest case takes seconds; a GPU that says nothing for so long hangs. */
const silenceMs = { quick: 3 * minuteMs, standard: 15 * minuteMs, soak: 15 * minuteMs };

/** What deep learning has besides, and what tests it. */
const elsewhere = {
  "convolutions, recurrent layers, batch norm, sorting": "engine torch, where PyTorch is installed",
  "collectives between GPUs": "nccl-loopback, and tessera collective --measured",
};

/** Deterministic sums in cuBLAS, and GPUs numbered as everywhere else. */
const environment = {
  CUBLAS_WORKSPACE_CONFIG: ":4096:8",
  CUDA_DEVICE_ORDER: "PCI_BUS_ID",
  NVIDIA_TF32_OVERRIDE: undefined,
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
  const { outcomes, telemetry } = await launch(context, { engine, task, worldSize, noteFact });
  for (const sentence of telemetry.hardFacts) noteFact(sentence);
  const reports = outcomes.map((outcome) => reportOf(outcome, outcomes, noteFact));
  const goldens = { ...cpuGoldens, ...options.goldens };
  const combined = combineReports(reports, goldens);
  for (const sentence of combined.hardFacts) noteFact(sentence);
  return {
    figures: combined.figures,
    hardFacts: [],
    facts: {
      version,
      engine,
      profile,
      scale: options.scale,
      problems,
      ...combined.facts,
      elsewhere,
      telemetry: telemetry.facts,
    },
    // Other software, sizes or numbers of devices are another measurement.
    cohort: cohortOf(reports, { engine, profile, options, worldSize }),
  };
}

/** Starts the device processes, hears what they say and watches their GPUs. */
async function launch(
  context: CheckContext<DlUnitOptions>,
  given: {
    readonly engine: "cuda" | "cpu";
    readonly task: DeviceTask;
    readonly worldSize: number;
    readonly noteFact: (sentence: string) => void;
  },
) {
  const { profile, signal, log, ranks } = context;
  const { engine, task, worldSize, noteFact } = given;
  const watch = await openWatch(context, engine);
  try {
    const outcomes = await ranks({
      task: "dl-unit-gpu",
      worldSize,
      input: task,
      env: () => environment,
      signal,
      timeoutMs: timeLimitMs[profile] + task.repeatMs,
      silenceMs: silenceMs[profile],
      onReport: (rank, report) => {
        const parsed = progressSchema.safeParse(report);
        if (!parsed.success) return;
        watch.note(rank, parsed.data);
        hear(parsed.data, { rank, log, noteFact });
      },
    });
    return { outcomes, telemetry: await watch.end() };
  } finally {
    watch.close();
  }
}

function hear(
  progress: Progress,
  o: {
    readonly rank: number;
    readonly log: (line: string) => void;
    readonly noteFact: (sentence: string) => void;
  },
): void {
  if (progress.kind === "problem") o.noteFact(progress.text);
  // One device's progress is enough to follow, and all are about equally far.
  if (progress.kind === "end" && o.rank === 0) o.log(`${progress.key}: ${progress.wallMs} ms`);
}

/** What a device handed in. Faults that its error names are hard facts even so. */
function reportOf(
  outcome: RankOutcome,
  all: readonly RankOutcome[],
  noteFact: (sentence: string) => void,
): DeviceReport {
  const fail = (problem: string) =>
    new TesseraError("E_CHECK_FAILED", { check: "dl-unit", problem });
  // Who was stopped because of another says nothing about why.
  const cause = all.find(({ ended }) => ended === "failed") ?? all.find(isFirstLost) ?? outcome;
  if (cause.ended === "failed") {
    const fault = hardwareFaults.find((name) => cause.error.message.includes(name));
    const sentence = `device ${cause.rank}: ${cause.error.message}`;
    if (fault !== undefined) noteFact(sentence);
    throw fail(sentence.replace(/\.$/, ""));
  }
  if (cause.ended === "lost") throw fail(`device ${cause.rank} was lost: ${cause.reason}`);
  if (outcome.ended !== "completed") throw fail(`device ${outcome.rank} did not complete`);
  const parsed = deviceReportSchema.safeParse(outcome.value);
  if (parsed.success) return parsed.data;
  throw fail(`device ${outcome.rank} handed in something else than a report`);
}

/** Lost by itself, and not stopped because another was. */
function isFirstLost(outcome: RankOutcome): boolean {
  return outcome.ended === "lost" && !outcome.reason.startsWith("stopped because");
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
