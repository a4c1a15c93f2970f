import { Mesh } from "../../dist/index.ts";
import {
  idealBubble,
  type PipelineSchedule,
  pipelineSchedules,
  type ScheduleOptions,
} from "../../parallel/index.ts";
import { lossAndExactGradients, roundGradients } from "../../tensor/nn/index.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import { cutBatch, exampleTask } from "../parallel/example-task.ts";
import { firstDifference } from "../parallel/first-difference.ts";
import { runPipeline } from "../parallel/run-pipeline.ts";
import type { QaWorld } from "../world.ts";

/** Messages take time too; a pipeline that waits this much more than it must is out of order. */
const bubbleSlack = 0.05;

/** Each schedule against one device that holds all layers. */
export const pipelineChecks: readonly QaCheck[] = pipelineSchedules.map((schedule) => ({
  name: `pipeline ${schedule}`,
  section: "parallelism",
  run: (world) => comparePipeline(world, schedule),
}));

async function comparePipeline(world: QaWorld, schedule: PipelineSchedule): Promise<QaFinding> {
  const stages = world.parallel.mesh.axisSize("pp");
  const chunks = schedule === "interleaved" ? 2 : 1;
  const options: ScheduleOptions = { schedule, stages, chunks, microBatches: 2 * stages };
  const { layers, params, batch } = exampleTask({
    seed: world.seed,
    layers: 2 * stages,
    rows: 3 * options.microBatches,
  });
  const whole = lossAndExactGradients(layers, params, batch);
  const mesh = new Mesh({
    axes: ["pp"],
    devices: world.devices.slice(0, stages),
    topology: world.topology,
  });
  const microBatches = cutBatch(batch, options.microBatches);
  const run = await runPipeline({ mesh, layers, params, microBatches, schedule: options });
  const facts = [
    counted("bubble", 100 * run.bubble, "%"),
    counted("bubble without messages", 100 * idealBubble(options), "%"),
    counted("loss", run.loss),
  ];
  if (!Object.is(run.loss, whole.loss)) {
    const reason = `The loss is ${run.loss}, and ${whole.loss} on one device.`;
    return { status: "fail", reason, facts };
  }
  const odd = firstDifference(
    roundGradients(run.gradients, params),
    roundGradients(whole.gradients, params),
  );
  if (odd !== undefined) {
    const reason = `The gradient of ${odd} differs from that of one device.`;
    return { status: "fail", reason, facts };
  }
  if (run.bubble > idealBubble(options) + bubbleSlack) {
    return { status: "fail", reason: "Its devices wait longer than the schedule asks.", facts };
  }
  const shown = `${stages} stages, ${options.microBatches} micro-batches`;
  return { status: "pass", reason: `${shown}: the bits of one device.`, facts };
}
