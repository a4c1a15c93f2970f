import { actingRows } from "./rows/acting.ts";
import { chaosRows } from "./rows/chaos.ts";
import { checkpointRows } from "./rows/checkpoint.ts";
import { checksRows } from "./rows/checks.ts";
import { clustersRows } from "./rows/clusters.ts";
import { collectivesRows } from "./rows/collectives.ts";
import { cudaRows } from "./rows/cuda.ts";
import { faultsRows } from "./rows/faults.ts";
import { generalRows } from "./rows/general.ts";
import { hardwareRows } from "./rows/hardware.ts";
import { kubernetesRows } from "./rows/kubernetes.ts";
import { ncclRows } from "./rows/nccl.ts";
import { ranksRows } from "./rows/ranks.ts";
import { serviceRows } from "./rows/service.ts";
import { slurmRows } from "./rows/slurm.ts";
import { storeRows } from "./rows/store.ts";
import { tensorAndMeshRows } from "./rows/tensor-and-mesh.ts";
import { validationRows } from "./rows/validation.ts";

export type { ErrorRow } from "./rows/error-row.ts";

/**
 * Every error Tessera reports on purpose. `docs/errors.md` is generated from this table, and each
 * row has a test that provokes it through the CLI, the API or the library.
 */
export const errorTable = {
  ...generalRows,
  ...serviceRows,
  ...kubernetesRows,
  ...slurmRows,
  ...storeRows,
  ...tensorAndMeshRows,
  ...collectivesRows,
  ...ranksRows,
  ...cudaRows,
  ...checkpointRows,
  ...chaosRows,
  ...faultsRows,
  ...validationRows,
  ...clustersRows,
  ...checksRows,
  ...actingRows,
  ...hardwareRows,
  ...ncclRows,
} as const;

export type ErrorCode = keyof typeof errorTable;
