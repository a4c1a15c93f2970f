import type { QaCheck } from "./check.ts";
import { bandwidthChecks } from "./checks/bandwidth.ts";
import { collectiveChecks } from "./checks/collectives.ts";
import { dataParallelCheck } from "./checks/data-parallel.ts";
import { determinismChecks } from "./checks/determinism.ts";
import { layoutChecks } from "./checks/layouts.ts";
import { lossChecks } from "./checks/lost-device.ts";
import { pipelineChecks } from "./checks/pipeline-parallel.ts";
import { tensorParallelChecks } from "./checks/tensor-parallel.ts";

/** What `tessera qa rack` and `tessera qa cluster` look at, in the order of the guide. */
export const qaChecks: readonly QaCheck[] = [
  ...layoutChecks,
  ...collectiveChecks,
  ...determinismChecks,
  ...tensorParallelChecks,
  ...pipelineChecks,
  dataParallelCheck,
  ...bandwidthChecks,
  ...lossChecks,
];
