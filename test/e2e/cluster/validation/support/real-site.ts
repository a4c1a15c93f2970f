import { createHash } from "node:crypto";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runPaths } from "../../../../../src/validation/collect/index.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import type { CliResult } from "../../../../support/built-cli.ts";
import { freePortOn, untilPodsEnded } from "./pods.ts";
import type { StoredRun } from "./records.ts";
import { runOnConfig, writeConfig } from "./validate-process.ts";

export type Values = Readonly<Record<string, unknown>>;

/** A cluster of real nodes with a shared volume, and the address where its pods hand in. */
export interface Site {
  /** The results volume. */
  readonly root: string;
  readonly url: string;
  /** The part of an entry that makes pods hand in by POST and as a file. */
  readonly bothWays: Values;
  /** An entry of `validation.clusters`. */
  entry(name: string, more: Values): Values;
  /** Writes a configuration with these entries; `validation` changes its section. */
  configure(folder: string, entries: readonly Values[], validation?: Values): Promise<string>;
  /** Runs a single pass, and waits until its pods have ended too. */
  once(config: string): Promise<CliResult>;
  reported(config: string): Promise<ReportedNodes>;
  /** Expects that a result came by POST, lies on the volume too, and is on record once. */
  expectHandedIn(run: StoredRun): Promise<void>;
}

/** What `tessera report` says. */
export interface ReportedNodes {
  readonly code: number;
  readonly verdict: string;
  node(name: string): { readonly status: string; readonly reason: string } | undefined;
}

interface ReportShape {
  readonly verdict: string;
  readonly sections: readonly {
    readonly items: readonly { name: string; status: string; reason: string }[];
  }[];
}

const skuLabel = "example.com/machine";

/** Prepares a cluster whose nodes are real. */
export async function createSite(cluster: Cluster): Promise<Site> {
  // The nodes are what they are, ordinary machines: so their floors are those of any machine.
  await cluster.kubectl(["label", "nodes", "--all", `${skuLabel}=host`]);
  const root = join(cluster.volumesDir, "results");
  await mkdir(root);
  // Pods write as a user that the volume's owner has never heard of.
  await chmod(root, 0o777);
  const host = cluster.hostAddress;
  const port = await freePortOn(host);
  const url = `http://${host}:${port}`;
  return {
    root,
    url,
    bothWays: { results: { hostPath: root }, resultUrl: url },
    entry: (name, more) => ({
      name,
      kind: "kubernetes",
      kubeconfig: cluster.kubeconfigPath,
      image: "tessera:test",
      skuLabel,
      cpu: "1500m",
      memory: "768Mi",
      shmSize: "16Mi",
      ...more,
    }),
    configure: (folder, clusters, more = {}) => {
      const limits = { cooldown: "0s", retestAfter: "0s" };
      const validation = { resultsDir: root, policy: "stale", limits, clusters, ...more };
      return writeConfig(folder, { server: { host, port }, validation });
    },
    once: async (config) => {
      const args = ["validate", "--once", "--json"];
      const done = await runOnConfig(config, args, { limitMs: 400_000 });
      await untilPodsEnded(cluster);
      return done;
    },
    reported,
    expectHandedIn: (run) => expectHandedIn(root, run),
  };
}

async function reported(config: string): Promise<ReportedNodes> {
  const { code, stdout } = await runOnConfig(config, ["report", "--format", "json"]);
  const { verdict, sections } = JSON.parse(stdout) as ReportShape;
  const items = sections.flatMap((section) => section.items);
  return { code, verdict, node: (name) => items.find((item) => item.name === name) };
}

/** Expects that a result came by POST, lies in a folder of results too, and is on record once. */
export async function expectHandedIn(
  root: string,
  { intent, handIns, results }: StoredRun,
): Promise<void> {
  const paths = runPaths(root, intent);
  const file = await readFile(paths.result);
  const digest = createHash("sha256").update(file).digest("hex");
  expect(handIns).toEqual([{ way: "post", digest }]);
  expect(results).toBe(1);
  const log = await readFile(paths.log, "utf8");
  expect(log).toContain(`run ${intent.id}: check ${intent.check} on ${intent.node}`);
  expect(log).toContain("handed in: by POST recorded, as a file written");
}
