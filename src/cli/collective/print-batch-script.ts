import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { batchScript } from "../../runtime/ranks/slurm/index.ts";
import { layoutOf } from "../agent/slurm/layout.ts";
import { allocationOf } from "../agent/slurm/open-slurm-ranks.ts";
import type { SlurmPlace } from "../agent/slurm/place.ts";
import type { Invocation } from "../invocation.ts";
import { writeJson } from "../output.ts";
import { inputOf } from "./measure.ts";
import type { MeasuredRequest } from "./measured-request.ts";
import { collectiveUsage } from "./usage.ts";

/** Prints the script for sbatch that measures the collective. Asks no cluster anything. */
export async function printBatchScript(
  { io, globals }: Invocation,
  request: MeasuredRequest,
  place: SlurmPlace,
): Promise<ExitCode> {
  const { op, ranks, transport } = request;
  const gpus = transport === "nccl";
  const isKnown = typeof place.ranksPerNode === "number";
  if (gpus && !isKnown && (ranks === undefined || place.ranksPerNode === "auto")) {
    throw collectiveUsage(
      "--manifests slurm with --transport nccl needs --ranks-per-node as a number, the GPUs of a node.",
    );
  }
  const layout = layoutOf({
    nodes: place.nodes,
    ranksPerNode: place.ranksPerNode,
    ranks,
    gpus,
    // Slurm says so when a node has fewer.
    gpusPerNode: () => Number.POSITIVE_INFINITY,
  });
  if (typeof layout === "string") throw collectiveUsage(layout);
  const script = batchScript(allocationOf(place, layout, `tessera-${op}`), {
    program: place.program,
    task: "collective",
    input: inputOf(request, gpus ? "nccl" : "tcp"),
  });
  if (globals.json) writeJson(io.stdout, { script });
  else io.stdout.write(script);
  return exitCodes.good;
}
