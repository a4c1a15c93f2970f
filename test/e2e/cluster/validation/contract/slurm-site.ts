import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLogger } from "../../../../../src/platform/log/index.ts";
import { openExistingStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import type { Slurm } from "../../../../cluster/slurm/fixture.ts";
import { lookAtNode } from "../../../../cluster/slurm/look-at-node.ts";
import { distDir } from "../../../../support/built-cli.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import type { Site, SiteJob } from "./site.ts";

const clock = createRealClock();
/** States in which a job may still do something. */
const unfinished = /^(PENDING|CONFIGURING|RUNNING|SUSPENDED|COMPLETING)/;

/** Nodes of Slurm, with its own jobs. */
export async function createSlurmSite(slurm: Slurm): Promise<Site> {
  const program = join(slurm.sharedDir, "tessera");
  // As an installation on the shared file system would have it.
  const main = join(distDir, "cli", "main.js");
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  await chmod(program, 0o755);
  const update = async (...words: readonly string[]) =>
    void (await slurm.run("scontrol", ["update", ...words]));
  const look = (name: string) => lookAtNode((program, args) => slurm.run(program, args), name);
  return {
    nodes: slurm.nodes.map(({ name }) => name),
    sku: "h100",
    shared: slurm.sharedDir,
    hostAddress: slurm.cluster.hostAddress,
    seenByJobs: (root) => root,
    entry: ({ name, root, url }) => ({
      name,
      kind: "slurm",
      conf: slurm.conf,
      program,
      partition: "tessera",
      lookEvery: "1s",
      resultsDir: root,
      ...(url === undefined ? {} : { resultUrl: url }),
    }),
    jobs: (name) => jobsOf(slurm, name),
    userJob: (name, node) => startUserJob(slurm, name, node),
    close: (node, reason) => update(`NodeName=${node}`, "State=DRAIN", `Reason=${reason}`),
    open: async (node) => {
      if ((await look(node)).closed) await update(`NodeName=${node}`, "State=RESUME");
    },
    node: look,
    holdJobs: async () => {
      // More than any job of ours asks for: Slurm takes such a job, and does not start it.
      await update("PartitionName=tessera", "MinNodes=2");
      return () => update("PartitionName=tessera", "MinNodes=1");
    },
    controller: {
      // With -9 it forgets the jobs of its last seconds: a proof of its own, beside the contract.
      kill: () => slurm.controller.kill("SIGTERM"),
      start: () => slurm.controller.start(),
    },
    forgetLeader: (_name, dataDir) => endLocks(dataDir),
  };
}

async function jobsOf(slurm: Slurm, name: string): Promise<readonly SiteJob[]> {
  const text = await slurm.run("scontrol", ["-o", "show", "job"]);
  return text.split("\n").flatMap((line) => {
    const field = (key: string) => new RegExp(`\\b${key}=(\\S+)`).exec(line)?.[1] ?? "";
    const [, cluster, runId = ""] = / Comment=tessera cluster=(\S+) run=(\S+)/.exec(line) ?? [];
    if (cluster !== name) return [];
    return { runId, node: field("NodeList"), hasEnded: !unfinished.test(field("JobState")) };
  });
}

async function startUserJob(slurm: Slurm, name: string, node: string) {
  const args = [`--job-name=${name}`, `--nodelist=${node}`, "--exclusive", "--gres=gpu:8"];
  const job = await slurm.submitUserJob("exec sleep 1000", args);
  await slurm.waitForJob(job, /^RUNNING/);
  return {
    name,
    end: async () => {
      await slurm.run("scancel", [job]);
      await waitUntil(`job ${job} is over`, async () => {
        return !unfinished.test(await slurm.jobState(job));
      });
    },
  };
}

/** Ends the terms of dead leaders as time would. */
async function endLocks(dataDir: string): Promise<void> {
  const log = createLogger({ level: "error", format: "json", clock, stream: process.stderr });
  const url = `sqlite:${join(dataDir, "tessera.db")}`;
  const store = await openExistingStore({ url, clock, log });
  try {
    await store.db.updateTable("leader_locks").set({ expires_at: 0 }).execute();
  } finally {
    await store.close();
  }
}
