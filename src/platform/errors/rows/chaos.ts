import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Experiments, the worlds they run in, and what they leave behind. */
export const chaosRows = {
  E_EXPERIMENT: {
    message: "{file} is no experiment: {problem} ({place}).",
    hint: "Nothing was started. `tessera chaos schema` prints the JSON Schema that editors check against; examples/chaos has working ones.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_PLAN: {
    message: "The experiment {title} cannot be planned: {problem}.",
    hint: "Nothing was started. `tessera chaos run FILE --dry-run` shows the plan: who is hit, when, and what must come back.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_WORLD: {
    message: "The world {world} cannot run this plan: {problem}.",
    hint: "Nothing was started. `tessera doctor` says what this machine lacks; `--world sim` needs nothing but Node.",
    exitCode: exitCodes.undecided,
    httpStatus: 409,
  },
  E_EXPERIMENTS_FULL: {
    message: "{running} experiments may run and {waiting} may wait, and all places are taken.",
    hint: "Nothing was started. Wait until one is over, stop one, or raise experiments.waiting.",
    exitCode: exitCodes.undecided,
    httpStatus: 429,
  },
  E_EXPERIMENT_STATE: {
    message: "That cannot be done with the experiment {id}: {problem}.",
    hint: "`GET /api/v1/experiments/{id}` says how it stands.",
    exitCode: exitCodes.usage,
    httpStatus: 409,
  },
  E_LEDGER: {
    message: "The ledger of faults {file} cannot be used: {problem}.",
    hint: "No fault is injected that is not written down first. Free the disk, or let TMPDIR name another folder for what runs leave.",
    exitCode: exitCodes.undecided,
    httpStatus: 507,
  },
  E_JOURNAL: {
    message: "{file} is no journal of a chaos run: {problem}.",
    hint: "Journals are written by `tessera chaos run --journal FILE` and by campaigns, and are replayed by the same version.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_REPLAY: {
    message: "The replay of {file} came out otherwise: {problem}.",
    hint: "The same plan, seed and version give the same trace. Look for a real clock, chance or input in what was changed.",
    exitCode: exitCodes.failed,
    httpStatus: 409,
  },
  E_CAMPAIGN: {
    message: "The campaign cannot run: {problem}.",
    hint: "Give --runs or --minutes, a seed, and a range that is not empty; --name for a campaign of your own; in pods, the rights of examples/chaos/kubernetes/campaign-rbac.yaml; on Slurm, `slurm.program` and --results that all nodes see.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;
