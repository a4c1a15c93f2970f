import { TesseraError } from "../../platform/errors/index.ts";
import { rendezvousOfStep } from "./slurm/slurm-rank.ts";
import { parseAddress } from "./wire/address.ts";
import { worldSizeMax } from "./world/messages.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Which rank a process is, and where it meets the others. */
export interface RankIdentity {
  readonly rank: number;
  readonly worldSize: number;
  /** `host:port` */
  readonly rendezvous: string;
}

/** The variables that say a rank, in the order they are asked: ours, an indexed Job's, Volcano's, srun's. */
const rankVariables = [
  "TESSERA_RANK",
  "JOB_COMPLETION_INDEX",
  "VC_TASK_INDEX",
  "SLURM_PROCID",
] as const;

/**
 * Which rank this process is, by its environment.
 *
 * @throws TesseraError E_RANK_ENVIRONMENT naming the variable that is missing or wrong.
 */
export function readRank(env: Env): RankIdentity {
  const variable = rankVariables.find((name) => (env[name] ?? "") !== "") ?? rankVariables[0];
  const rank = wholeNumber(env, variable, { min: 0, max: worldSizeMax - 1 });
  const isTask = variable === "SLURM_PROCID";
  const isTold = !isTask || (env["TESSERA_WORLD_SIZE"] ?? "") !== "";
  const size = isTold ? "TESSERA_WORLD_SIZE" : "SLURM_NTASKS";
  const worldSize = wholeNumber(env, size, { min: 1, max: worldSizeMax });
  if (rank >= worldSize) {
    throw broken(`${variable} is ${rank}, and ${size} says that there are ${worldSize}`);
  }
  const given = env["TESSERA_RENDEZVOUS"] ?? "";
  const rendezvous = given === "" && isTask ? (rendezvousOfStep(env) ?? "") : given;
  if (rendezvous === "") throw broken("TESSERA_RENDEZVOUS is not set");
  if (parseAddress(rendezvous) === undefined) {
    throw broken("TESSERA_RENDEZVOUS is not host:port");
  }
  return { rank, worldSize, rendezvous };
}

/** A rank that was started by others than our launcher, with all it needs to join. */
export interface RankMembership extends RankIdentity {
  readonly secret: string;
  /** Where rank 0 listens; undefined for the host of the rendezvous. */
  readonly bind: string | undefined;
}

const secretCharsMin = 16;
const secretCharsMax = 1024;

/**
 * Which rank this process is and the secret it shares with the others, which stands in the file that
 * TESSERA_RANK_SECRET_FILE names, or else in TESSERA_RANK_SECRET.
 *
 * @param readFile reads a small text file.
 * @throws TesseraError E_RANK_ENVIRONMENT, and whatever reading the file throws.
 */
export async function readMembership(
  env: Env,
  readFile: (path: string) => Promise<string>,
): Promise<RankMembership> {
  const identity = readRank(env);
  const file = env["TESSERA_RANK_SECRET_FILE"] ?? "";
  const text = file === "" ? (env["TESSERA_RANK_SECRET"] ?? "") : await readFile(file);
  const secret = text.trim();
  const variable = file === "" ? "TESSERA_RANK_SECRET" : "TESSERA_RANK_SECRET_FILE";
  if (secret === "") {
    throw broken("neither TESSERA_RANK_SECRET_FILE nor TESSERA_RANK_SECRET holds a secret");
  }
  if (secret.length < secretCharsMin || secret.length > secretCharsMax) {
    throw broken(
      `the secret of ${variable} has not ${secretCharsMin} to ${secretCharsMax} characters`,
    );
  }
  const bind = env["TESSERA_RENDEZVOUS_BIND"] ?? "";
  return { ...identity, secret, bind: bind === "" ? undefined : bind };
}

function wholeNumber(
  env: Env,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const text = env[name] ?? "";
  if (text === "") throw broken(`${name} is not set`);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw broken(`${name} is not a whole number from ${min} to ${max}`);
}

function broken(problem: string): TesseraError {
  return new TesseraError("E_RANK_ENVIRONMENT", { problem });
}
