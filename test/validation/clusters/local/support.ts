import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Cluster, JobRequest } from "../../../../src/validation/clusters/cluster.ts";
import {
  createLocalCluster,
  type LocalClusterOptions,
} from "../../../../src/validation/clusters/local/index.ts";
import { runPaths, runToken } from "../../../../src/validation/collect/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock, intentOf, silent } from "../../collect/support.ts";

export const secret = "the installation's secret";
export const node = "this-machine";

/** A cluster whose jobs run a program of the test's making, and which sees no GPUs. */
export async function localCluster(
  source: string,
  change: Partial<LocalClusterOptions> = {},
): Promise<{ readonly cluster: Cluster; readonly root: string; readonly script: string }> {
  const folder = await tempDir();
  const script = join(folder, "job.mjs");
  await writeFile(script, source);
  const root = join(folder, "logs");
  const cluster = createLocalCluster({
    name: "here",
    clock,
    log: silent,
    resultDir: root,
    command: [process.execPath, script],
    nodeName: node,
    findGpus: async () => ({ models: [], processes: [] }),
    load: () => 0,
    ...change,
  });
  onTestFinished(async () => {
    for (const { name } of cluster.view().jobs) await cluster.cancel(name);
    await cluster.stop();
  });
  return { cluster, root, script };
}

export function requestOf(change: Partial<JobRequest> = {}, id = "0123456789abcdef0123") {
  const intent = intentOf({ id, cluster: "here", node, jobName: `tsr-host-compute-${id}` });
  return {
    intent,
    token: runToken(secret, id),
    runTimeoutMs: 60_000,
    checkOptions: {},
    ...change,
  } satisfies JobRequest;
}

export async function untilPhase(cluster: Cluster, phase: string): Promise<void> {
  await waitUntil(`the job is ${phase}`, () => cluster.view().jobs[0]?.phase === phase);
}

export function pathsOf(root: string, { intent }: JobRequest) {
  return runPaths(root, intent);
}
