import { findProgram } from "../../../../platform/doctor/program.ts";
import { messageOf, TesseraError } from "../../../../platform/errors/index.ts";
import { runProcess, startProcess } from "../../../../platform/process/index.ts";
import { version } from "../../../../version.ts";
import type { CheckContext, CheckOutput } from "../../check.ts";
import { combineReports } from "../combine.ts";
import type { DeviceReport } from "../device-report.ts";
import type { DlUnitOptions } from "../options.ts";
import { describeDevice } from "../run-cases.ts";
import { readTorchLine, reportOfLines, type TorchLine } from "./read-lines.ts";
import { torchScript } from "./script.ts";

const linesMax = 1000;
const errorLinesMax = 20;
const importMs = 120_000;

/** Deterministic kernels, as far as PyTorch has them. */
const environment = { CUBLAS_WORKSPACE_CONFIG: ":4096:8", CUDA_DEVICE_ORDER: "PCI_BUS_ID" };

/**
 * Runs the script of the engine `torch`, one process for each GPU, or one on a host without.
 *
 * @param gpus how many there are.
 * @throws TesseraError E_CHECK_FAILED when there is no PyTorch, or a device did not come to its end.
 */
export async function runTorch(
  context: CheckContext<DlUnitOptions>,
  gpus: number,
): Promise<CheckOutput> {
  const { options, log, profile } = context;
  const python = await findProgram("python3", context.env);
  if (python === undefined) throw failed("the engine torch needs python3, and there is none");
  await requireTorch(python, context);
  const onGpu = gpus > 0;
  const count = onGpu ? Math.min(options.devices ?? gpus, gpus) : 1;
  log(`PyTorch on ${count} ${onGpu ? "GPUs" : "process"}`);
  const indices = Array.from({ length: count }, (_, index) => index);
  const reports = await Promise.all(
    indices.map(async (index) => await runDevice({ python, index, onGpu, context })),
  );
  const combined = combineReports(reports, options.goldens);
  const own = reports.flatMap(({ device, cases }) =>
    cases.flatMap(({ key, problems }) =>
      problems.map(({ text }) => `${describeDevice(device)}: ${key}: ${text}`),
    ),
  );
  return {
    figures: combined.figures,
    hardFacts: [...own, ...combined.hardFacts],
    facts: { version, engine: "torch", profile, problems: own.length, ...combined.facts },
    cohort: `${reports[0]?.softwareKey ?? "torch"}, ${count} devices, ${profile}`.slice(0, 500),
  };
}

async function requireTorch(
  python: string,
  { clock, signal }: CheckContext<DlUnitOptions>,
): Promise<void> {
  const asked = await runProcess(python, ["-c", "import torch"], {
    clock,
    signal,
    timeoutMs: importMs,
  });
  if (asked.exitCode === 0) return;
  const last = asked.stderr.trim().split("\n").at(-1) ?? "";
  throw failed(
    `the engine torch needs PyTorch, and python3 cannot import it: ${last.slice(0, 300)}`,
  );
}

async function runDevice(given: {
  readonly python: string;
  readonly index: number;
  readonly onGpu: boolean;
  readonly context: CheckContext<DlUnitOptions>;
}): Promise<DeviceReport> {
  const { python, index, onGpu, context } = given;
  const { profile, options, clock, signal, log } = context;
  const device = onGpu ? "cuda" : "cpu";
  const task = { index, device, profile, iterations: options.iterations ?? 10 };
  const lines: TorchLine[] = [];
  const errors: string[] = [];
  const onLine = (text: string, stream: "stdout" | "stderr") => {
    const line = stream === "stdout" ? readTorchLine(text) : undefined;
    if (line !== undefined && lines.length < linesMax) lines.push(line);
    if (line?.kind === "case" && index === 0) log(`${line.case.key}: ${line.case.wallMs} ms`);
    if (stream === "stderr") {
      errors.push(text);
      if (errors.length > errorLinesMax) errors.shift();
    }
  };
  const visible = onGpu ? { CUDA_VISIBLE_DEVICES: String(index) } : {};
  const started = await startProcess(python, ["-", JSON.stringify(task)], {
    clock,
    signal,
    env: { ...environment, ...visible },
    input: torchScript,
    // A line has the samples and digests of one case.
    lineCharsMax: 1_000_000,
    onLine,
  }).catch((error: unknown) => {
    throw failed(`python3 could not be started: ${messageOf(error)}`);
  });
  const { exitCode } = await started.exited;
  signal.throwIfAborted();
  const report = reportOfLines(lines);
  if (exitCode === 0 && report !== undefined) return report;
  const last = errors.filter((line) => line.trim() !== "").at(-1) ?? `it ended with ${exitCode}`;
  throw failed(
    `the PyTorch process of device ${index} did not come to its end: ${last.slice(0, 500)}`,
  );
}

function failed(problem: string): TesseraError {
  return new TesseraError("E_CHECK_FAILED", {
    check: "dl-unit",
    problem: problem.replace(/\.$/, ""),
  });
}
