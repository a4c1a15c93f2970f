import { TesseraError } from "../../../platform/errors/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { fleetChecks } from "../../fleet-log/index.ts";
import {
  type Check,
  type CheckContext,
  type CheckHost,
  type CheckOutput,
  defineCheck,
  type Requirement,
} from "../check.ts";
import { chooseEngine, countDevices } from "./choose-engine.ts";
import { type DlUnitOptions, dlUnitOptions } from "./options.ts";
import { runOnDevices } from "./run-on-devices.ts";
import { runTorch } from "./torch/run-torch.ts";
import { visibleGpus } from "./visible-gpus.ts";

export const dlUnitName = "dl-unit";
const memoryBytesMin = 2 ** 30;

/** The figures of a GPU each end in `.gpuN`; those of all together do not. */
const figures = {
  gemm_tflops: "TFLOP/s",
  linear_ms: "ms",
  attention_ms: "ms",
  norm_gbps: "GB/s",
  softmax_gbps: "GB/s",
  optimizer_ms: "ms",
  hbm_gbps: "GB/s",
  h2d_gbps: "GB/s",
  d2h_gbps: "GB/s",
  step_ms: "ms",
  nvlink_busbw: "GB/s",
  overlap_ms: "ms",
  gemm_gflops: "GFLOP/s",
} as const;

/**
 * Every GPU of a node, or the host's processors, compute what deep learning is made of: products,
 * layers with their gradients, optimizer steps, a small transformer; and all of memory is walked
 * through. Answers are held against integer arithmetic, against the same again, against the other
 * devices, against what nodes with the same software agree on, and against higher precision.
 */
export function createDlUnit(): Check {
  const known = fleetChecks.find(({ name }) => name === dlUnitName);
  return defineCheck({
    name: dlUnitName,
    title: "Deep-learning unit test on every GPU",
    minutes: known?.minutes ?? 15,
    sensitivity: known?.sensitivity ?? {},
    falseAlarm: known?.falseAlarm ?? 0.001,
    figures,
    options: dlUnitOptions,
    requirements,
    run: (context) => runDlUnit(context),
  });
}

function requirements({ memoryBytes }: CheckHost): Requirement {
  return memoryBytes >= memoryBytesMin
    ? { met: true }
    : { met: false, reason: `it needs ${formatBytes(memoryBytesMin)} of memory` };
}

async function runDlUnit(context: CheckContext<DlUnitOptions>): Promise<CheckOutput> {
  const { corrupt } = context.options;
  const gpus =
    context.options.engine === "cpu" ? { count: 0, reason: "" } : await visibleGpus(context);
  const engine = chooseEngine(context.options, gpus);
  if (corrupt !== undefined)
    context.log(`${corrupt.case} of gpu ${corrupt.gpu} is broken on purpose`);
  if (engine === "torch") return await runTorch(context, gpus.count);
  const worldSize = countDevices(context.options, gpus, engine);
  const output = await runOnDevices(context, { engine, worldSize });
  if (corrupt === undefined) return output;
  const { facts } = output;
  if (facts["problems"] === 0 && output.hardFacts.length === 0) {
    throw new TesseraError("E_CHECK_FAILED", {
      check: dlUnitName,
      problem: `${corrupt.case} of gpu ${corrupt.gpu} was broken on purpose, and nothing was found wrong`,
    });
  }
  return { ...output, facts: { ...facts, brokenOnPurpose: { ...corrupt } } };
}
