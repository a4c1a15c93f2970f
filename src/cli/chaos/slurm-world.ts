import { join } from "node:path";
import type { Experiment } from "../../chaos/experiment/index.ts";
import type { ChaosPlan } from "../../chaos/plan/index.ts";
import type { DaemonCommand, SlurmWorldOptions } from "../../chaos/slurm/index.ts";
import type { World } from "../../chaos/world.ts";
import type { Invocation } from "../invocation.ts";
import { openSlurm } from "../open-slurm.ts";
import { ownUser } from "../own-user.ts";

type SlurmGiven = Extract<Experiment["workload"], { kind: "slurm" }>;

/** A job of the Slurm cluster of the configuration. */
export async function openSlurmWorld(invocation: Invocation): Promise<World> {
  const { createSlurmWorld } = await import("../../chaos/slurm/index.ts");
  return createSlurmWorld(await optionsFor(invocation));
}

/**
 * What `--dry-run` does under Slurm: everything is looked at, and nothing changes.
 *
 * @throws E_WORLD for whatever a run would be refused for.
 */
export async function rehearseInSlurm(invocation: Invocation, plan: ChaosPlan): Promise<void> {
  const { dryRunOnSlurm } = await import("../../chaos/slurm/index.ts");
  await dryRunOnSlurm(plan, await optionsFor(invocation));
}

/** Takes back what runs left that are gone. @returns what came of it, each in a sentence */
export async function recoverInSlurm(invocation: Invocation): Promise<readonly string[]> {
  const { recoverOnSlurm } = await import("../../chaos/slurm/index.ts");
  return recoverOnSlurm(await optionsFor(invocation));
}

/** The nodes that a job holds, for targets that are chosen by chance when the plan is made. */
export async function jobNodesOf(
  invocation: Invocation,
  { job, user }: SlurmGiven,
): Promise<readonly string[]> {
  const { nodesOfJob } = await import("../../chaos/slurm/index.ts");
  const workload = { kind: "slurm", job, user: user ?? null, output: null } as const;
  return nodesOfJob(workload, await optionsFor(invocation));
}

async function optionsFor(invocation: Invocation): Promise<SlurmWorldOptions> {
  const [{ hostFolderDefault }, { createDaemonHook }, { values }, client] = await Promise.all([
    import("../../chaos/host/host-world.ts"),
    import("../../chaos/slurm/index.ts"),
    invocation.config(),
    openSlurm(invocation),
  ]);
  const { clock } = invocation;
  const { stopSlurmd: stop, startSlurmd: start } = values.slurm;
  const hasCommands = isCommand(stop) && isCommand(start);
  return {
    client,
    clock,
    folder: join(hostFolderDefault(), "slurm"),
    // Whom Slurm knows by no name has no jobs here, unless the file says whose are meant.
    user: ownUser() ?? String(process.getuid?.() ?? ""),
    ...(hasCommands ? { daemonHook: createDaemonHook({ stop, start, clock }) } : {}),
  };
}

function isCommand(words: readonly string[] | undefined): words is DaemonCommand {
  return words !== undefined && words.length > 0;
}
