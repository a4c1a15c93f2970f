import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Programs of several processes, one for each rank. */
export const ranksRows = {
  E_RANK_ENVIRONMENT: {
    message: "This process cannot tell which rank it is: {problem}.",
    hint: "Set TESSERA_RANK (an indexed Job sets JOB_COMPLETION_INDEX, Volcano VC_TASK_INDEX, srun SLURM_PROCID), TESSERA_WORLD_SIZE, TESSERA_RENDEZVOUS=host:port, and TESSERA_RANK_SECRET_FILE or TESSERA_RANK_SECRET; `tessera collective OP --measured --manifests job` prints manifests that do.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_RENDEZVOUS: {
    message: "The ranks did not meet at {rendezvous}: {problem}.",
    hint: "Every rank needs the same rendezvous, world size, secret and version of Tessera, and must be able to reach the others over TCP. Nothing was measured.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_RANK_LOST: {
    message: "Rank {rank} did not come to its end: {problem}.",
    hint: "All other ranks were stopped, and nothing was returned. Look at that rank's own output and its node; then run again.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_MEASUREMENT: {
    message: "The measured times in {file} cannot be used: {problem}.",
    hint: "Make the file with `tessera collective OP --measured --save FILE`, of two sizes or more and two ranks or more.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
} as const satisfies Record<string, ErrorRow>;
