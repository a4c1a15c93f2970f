import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isLive, marks } from "../../../../../src/hardware/objects/index.ts";
import { isServing, podsOf } from "../../../../../src/hardware/workload/index.ts";
import type { KubeClient } from "../../../../../src/platform/kube/index.ts";
import { distDir, type RunningCli, startCli } from "../../../../support/built-cli.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { serverPort } from "../support/cuda-server.ts";
import type { Installation } from "../support/installation.ts";
import { runnerEnvironment } from "../support/run-example.ts";
import type { Moment } from "./round-plans.ts";
import { type Deployment, deployments, faultsOf, workload } from "./surface.ts";

/** A test that runs as a process of its own. */
export interface Runner {
  readonly cli: RunningCli;
  /** What the test is called. */
  readonly run: string;
  /** The node that it breaks. */
  readonly node: string;
}

/** Starts a test and waits until it has chosen its node. */
export async function startRunner(about: {
  readonly installation: Installation;
  /** Where it works. */
  readonly cwd: string;
  /** It arms nothing before this file is there, and ends nothing before the other one is. */
  readonly armFile: string;
  readonly endFile: string;
  readonly limitMs: number;
}): Promise<Runner> {
  const { installation, cwd, armFile, endFile, limitMs } = about;
  const name = pathToFileURL(join(distDir, "hardware", "index.js")).href;
  const cli = await startCli(
    [name, workload.namespace, workload.name, String(serverPort), armFile, endFile],
    {
      script: join(import.meta.dirname, "runner.mjs"),
      env: runnerEnvironment(installation),
      cwd,
      limitMs,
    },
  );
  const chosen = /^run (\S+) on (\S+)\.$/m;
  const text = await cli.untilStdout((printed) => chosen.test(printed));
  const [, run = "", node = ""] = chosen.exec(text) ?? [];
  return { cli, run, node };
}

export async function untilStage({ cli }: Runner, stage: string): Promise<void> {
  await cli.untilStdout((printed) => printed.includes(`stage ${stage}\n`));
}

/** Waits until the test is so far. */
export async function untilMoment(
  runner: Runner,
  moment: Moment,
  about: { readonly client: KubeClient; readonly hasLine: () => boolean },
): Promise<void> {
  const { client, hasLine } = about;
  switch (moment) {
    case "before":
      return;
    case "rollout":
      return await waitUntil("the shim is in the workload", () => hasShim(client));
    case "armed":
      return await untilStage(runner, "armed");
    case "line":
      await untilStage(runner, "armed");
      return await waitUntil("the line is in the kernel log", hasLine);
    case "drain":
      return await untilStage(runner, "cordoned");
    case "reverting":
      return await untilStage(runner, "ending");
  }
}

/** How many XIDs a kernel log holds. */
export function linesIn(kernelLog: string): number {
  return readFileSync(kernelLog, "utf8").split("NVRM: Xid").length - 1;
}

async function hasShim(client: KubeClient): Promise<boolean> {
  const { metadata } = await client.get<Deployment>(deployments, workload);
  return metadata.annotations?.[marks.passthrough] !== undefined;
}

/** Waits until no fault is in force, every pod is one of the latest template, and serves. */
export async function untilSettled(client: KubeClient): Promise<void> {
  const isSettled = async () => {
    if ((await faultsOf(client)).some(isLive)) return false;
    const { metadata, status } = await client.get<Deployment>(deployments, workload);
    const { observedGeneration, replicas, updatedReplicas, availableReplicas } = status ?? {};
    if (observedGeneration !== (metadata as { readonly generation?: number }).generation)
      return false;
    if (replicas !== 1 || updatedReplicas !== 1 || availableReplicas !== 1) return false;
    const pods = await podsOf(client, workload);
    return pods.length === 1 && pods.every(isServing);
  };
  await waitUntil("no fault is in force, and one pod of the latest template serves", isSettled, {
    timeoutMs: 180_000,
  });
}
