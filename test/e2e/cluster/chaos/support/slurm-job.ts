import { join } from "node:path";
import { parseExperiment } from "../../../../../src/chaos/experiment/file/index.ts";
import { resolveExperiment } from "../../../../../src/chaos/experiment/index.ts";
import type { NodeHook } from "../../../../../src/chaos/live/index.ts";
import type { ChaosPlan } from "../../../../../src/chaos/plan/index.ts";
import { createSlurmWorld } from "../../../../../src/chaos/slurm/index.ts";
import { createSlurmClient, type SlurmClient } from "../../../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { clustersRoot } from "../../../../cluster/registry/paths.ts";
import { alice, type Slurm, startSlurm } from "../../../../cluster/slurm/fixture.ts";
import { slurmPathsOf } from "../../../../cluster/slurm/paths.ts";

export const clock = createRealClock();

/**
 * A Slurm whose requeued jobs may start again after ten seconds instead of two minutes: so long as
 * the credential of their last run is good.
 */
export function startQuickSlurm(): Promise<Slurm> {
  const name = `chaos-${process.pid}`;
  const { mungeSocket } = slurmPathsOf(join(clustersRoot, name));
  return startSlurm({ name, conf: [`AuthInfo=socket=${mungeSocket},cred_expire=10`] });
}

export function clientOf(slurm: Slurm): SlurmClient {
  return createSlurmClient({ conf: slurm.conf, env: process.env, clock });
}

/** A job of alice that goes on from the last step it wrote down, and whose launcher starts a lost step again. */
const script = `
state=$HOME/state-$SLURM_JOB_ID
while :; do
  srun --overlap -N1 -n1 sh -c '
    step=$(cat '"$state"' 2>/dev/null || echo 0)
    [ "$step" -gt 0 ] && echo "{\\"tessera\\":{\\"restore\\":{\\"tag\\":\\"s\\",\\"step\\":$step}}}"
    while :; do
      step=$((step + 1)); sleep 0.2
      echo $step > '"$state"'.new && mv '"$state"'.new '"$state"'
      echo "{\\"tessera\\":{\\"step\\":$step}}"
    done'
  sleep 0.2
done`;

/** Hands the job in and waits until it runs. @returns its number */
export async function startTraining(slurm: Slurm, args: readonly string[] = []): Promise<string> {
  const options = ["-J", "train", "--requeue", "--open-mode=append", "--mem=1000", ...args];
  const job = await slurm.submitUserJob(script, options);
  await slurm.waitForJob(job, /RUNNING/);
  return job;
}

export const allowed = "--comment=tessera.dev/chaos=allowed";

/** Alice is known inside the cluster only: to this machine's tools her number is her name. */
export function planOn(
  job: string,
  faults: readonly string[],
  { limits = "duration: 4m, targets: 1", more = "" } = {},
): ChaosPlan {
  const text = [
    "title: a job of alice",
    `workload: { kind: slurm, job: ${job}, user: "${alice.id}"${more} }`,
    "faults:",
    ...faults.map((fault) => `  - ${fault}`),
    `limits: { ${limits} }`,
  ].join("\n");
  return resolveExperiment(parseExperiment(text, "a.yaml"), {});
}

/** The world as the administrator of the cluster sees it. */
export function worldOn(slurm: Slurm, folder: string) {
  const daemonHook: NodeHook = {
    stop: (node) => slurm.node(node).kill(),
    start: (node) => slurm.node(node).start(),
  };
  return createSlurmWorld({ client: clientOf(slurm), clock, folder, user: "root", daemonHook });
}
