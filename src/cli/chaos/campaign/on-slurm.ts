import { join, resolve } from "node:path";
import type { CampaignPart } from "../../../chaos/campaign/index.ts";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { parseDurationMs } from "../../../platform/units/index.ts";
import type { Invocation } from "../../invocation.ts";
import { openSlurm } from "../../open-slurm.ts";
import { ownUser } from "../../own-user.ts";
import { usageError } from "../../usage-error.ts";
import type { SpreadCampaign } from "./place.ts";
import { wholeOf } from "./request.ts";

/** Which job array makes the runs. */
export interface SlurmPlace {
  readonly tasks: number;
  readonly atOnce: number | undefined;
  /** Of a task; undefined: the partition's. */
  readonly timeLimitMs: number | undefined;
  /** Absolute; undefined: in the data folder of the configuration. */
  readonly results: string | undefined;
}

const tasksMax = 1000;
const timeMsMax = 365 * 86_400_000;
const command = "chaos campaign";

/** What `--on slurm` asks for. @throws E_USAGE */
export function readSlurmPlace({ options, io }: Pick<Invocation, "options" | "io">): SlurmPlace {
  const { tasks, atOnce, time, results } = options;
  return {
    tasks: countOf("tasks", tasks),
    atOnce: atOnce === undefined ? undefined : countOf("at-once", atOnce),
    timeLimitMs: typeof time === "string" ? timeOf(time) : undefined,
    results: typeof results === "string" ? folderOf(resolve(io.cwd, results)) : undefined,
  };
}

/** Makes the runs in tasks of an array, and keeps what they found in the book. */
export async function runInTasks(
  invocation: Invocation,
  about: SpreadCampaign & { readonly place: SlurmPlace },
): Promise<CampaignPart> {
  const [{ values }, log, { runCampaignOnSlurm }, client] = await Promise.all([
    invocation.config(),
    invocation.log(),
    import("../../../chaos/campaign/on-slurm/index.ts"),
    openSlurm(invocation),
  ]);
  const { request, place, seed, kept, onProgress } = about;
  const { program, partition, account, qos } = values.slurm;
  if (program === undefined) {
    const problem = "slurm.program does not say where compute nodes find this program";
    throw new TesseraError("E_CAMPAIGN", { problem });
  }
  const { clock, io, signal } = invocation;
  return runCampaignOnSlurm({
    client,
    clock,
    signal,
    campaign: kept.label,
    user: ownUser(),
    results: place.results ?? folderOf(join(values.dataDir, "campaigns")),
    tasks: place.tasks,
    atOnce: place.atOnce,
    timeLimitMs: place.timeLimitMs,
    ...{ program, partition, account, qos, seed },
    searchPath: io.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    range: { from: request.from, to: request.to },
    known: kept.known,
    onPart: (part) => kept.book.put(part),
    onProgress,
    onProblem: (problem) => log.warn(problem),
  });
}

function countOf(name: string, given: unknown): number {
  const count = wholeOf(typeof given === "string" ? given : "");
  if (count !== undefined && count >= 1 && count <= tasksMax) return count;
  throw usageError(command, `--${name} is not a whole number from 1 to ${tasksMax}.`);
}

function timeOf(given: string): number {
  try {
    const timeMs = parseDurationMs(given);
    if (timeMs > 0 && timeMs <= timeMsMax) return timeMs;
  } catch (error) {
    throw usageError(command, `--time: ${messageOf(error)}`);
  }
  throw usageError(command, `--time is ${given}, not above 0 and up to a year.`);
}

/** Slurm reads more into some characters of the path of a log. */
function folderOf(path: string): string {
  if (!/[%\\\p{Cc}]/u.test(path)) return path;
  throw usageError(command, `--results is ${JSON.stringify(path)}, with a % or \\ in it.`);
}
