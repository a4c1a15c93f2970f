import { parseExperiment } from "../../../../src/chaos/experiment/file/index.ts";
import { resolveExperiment } from "../../../../src/chaos/experiment/index.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import type { RunRecord } from "../../../../src/chaos/record/index.ts";
import { createSlurmWorld, type SlurmWorldOptions } from "../../../../src/chaos/slurm/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** So short that a run is over in a moment. */
const lookEveryMs = 30;

export const allowed = "--comment=tessera.dev/chaos=allowed";
export const trainArgs = ["-J", "train", "-N", "2", allowed];

/** A Slurm of four nodes in memory, with alice's job on the first two. */
export async function site(jobArgs: readonly string[] = trainArgs) {
  const clock = createRealClock();
  const slurm = createFakeSlurm({ clock, user: "alice" });
  const job = slurm.test.userJob(jobArgs);
  slurm.test.setSteps(job, [`${job}.0`, `${job}.batch`]);
  const folder = await tempDir();
  const options: SlurmWorldOptions = { client: slurm, clock, folder, user: "alice", lookEveryMs };
  return { clock, slurm, job, options };
}

export type Site = Awaited<ReturnType<typeof site>>;

export interface PlanGiven {
  readonly faults: readonly string[];
  readonly workload?: string;
  readonly limits?: string;
}

export function planOf({
  faults,
  workload = "job: train",
  limits = "duration: 20s, targets: 1",
}: PlanGiven): ChaosPlan {
  const text = [
    "title: a job",
    `workload: { kind: slurm, ${workload} }`,
    "faults:",
    ...faults.map((fault) => `  - ${fault}`),
    `limits: { ${limits} }`,
  ].join("\n");
  return resolveExperiment(parseExperiment(text, "a.yaml"), { jobNodes: ["g0", "g1"] });
}

export function run(
  at: Site,
  given: PlanGiven,
  more: Partial<SlurmWorldOptions> = {},
): Promise<RunRecord> {
  const world = createSlurmWorld({ ...at.options, ...more });
  return world.run(planOf(given), { signal: new AbortController().signal });
}
