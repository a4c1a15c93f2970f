import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  isNotFound,
  type ResourceType,
  resourceTypes,
} from "../../../../../src/platform/kube/index.ts";
import { openStore } from "../../../../../src/platform/store/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import { type History, openHistory } from "../../../../../src/validation/history/index.ts";
import type { RunRecord } from "../../../../../src/validation/run.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { tempDir } from "../../../../support/temp-dir.ts";
import { JobLedger, volcanoJobs } from "./job-ledger.ts";
import { connect } from "./look.ts";
import { PodPlayer, type PodPlayerOptions } from "./pod-player.ts";
import { freePortOn } from "./pods.ts";
import { startValidate, type ValidateProcess, writeConfig } from "./validate-process.ts";

const clock = createRealClock();

export interface WorldOptions {
  readonly cluster: Cluster;
  /** The cluster's name in the configuration, and the namespace of its jobs. */
  readonly name: string;
  readonly scheduler?: "job" | "volcano";
  /** Values of the section `validation`. */
  readonly validation: Readonly<Record<string, unknown>>;
  readonly pods?: Pick<PodPlayerOptions, "runMs" | "way">;
}

/** A loop's surroundings: its folder and configuration, its pods, and somebody who counts. */
export interface World {
  readonly folder: string;
  readonly player: PodPlayer;
  readonly ledger: JobLedger;
  /** The store, read beside the loop. */
  readonly history: History;
  /** The configuration of one loop; each loop that runs at the same time needs its own. */
  configFor(loop: string): Promise<string>;
  /** Starts a loop, which does not outlive the test. */
  start(configFile: string): Promise<ValidateProcess>;
  /** All runs of this cluster, oldest first. */
  runs(): Promise<readonly RunRecord[]>;
  /** Takes the lease of a loop that is dead away, as an administrator may. */
  dropLease(): Promise<void>;
}

/** Prepares everything but the loop. What it opens is closed when the test ends. */
export async function createWorld(options: WorldOptions): Promise<World> {
  const { cluster, name, scheduler = "job" } = options;
  const folder = await tempDir();
  const resultsDir = join(folder, "results");
  await mkdir(resultsDir);
  const client = await connect(cluster);
  onTestFinished(() => client.close());
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await client.create(resourceTypes.namespaces, namespace);
  const player = new PodPlayer({ client, cluster: name, resultsDir, ...options.pods });
  const type: ResourceType = scheduler === "volcano" ? volcanoJobs : resourceTypes.jobs;
  const ledger = new JobLedger({ client, type, cluster: name, over: player.over });
  player.start();
  ledger.start();
  onTestFinished(async () => void (await Promise.all([player.stop(), ledger.stop()])));
  const store = await openStore({ url: `sqlite:${join(folder, "tessera.db")}`, clock });
  onTestFinished(() => store.close());
  const history = openHistory(store);
  return {
    folder,
    player,
    ledger,
    history,
    configFor: (loop) => writeLoopConfig(options, { folder, resultsDir, loop }),
    start: async (configFile) => {
      const loop = await startValidate(configFile);
      onTestFinished(async () => void (await loop.kill()));
      return loop;
    },
    runs: async () => (await history.runs({ cluster: name })).toReversed(),
    dropLease: async () => {
      const ref = { namespace: name, name: `tessera-validation-${name}` };
      await client.delete(resourceTypes.leases, ref).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  };
}

async function writeLoopConfig(
  { cluster, name, scheduler = "job", validation }: WorldOptions,
  at: { readonly folder: string; readonly resultsDir: string; readonly loop: string },
): Promise<string> {
  const { folder, resultsDir, loop } = at;
  const port = await freePortOn("127.0.0.1");
  return await writeConfig(join(folder, loop), {
    dataDir: folder,
    server: { host: "127.0.0.1", port },
    validation: {
      policy: "stale",
      resultsDir,
      resultUrl: `http://127.0.0.1:${port}`,
      resultGrace: "30s",
      ...validation,
      clusters: [
        {
          name,
          kind: "kubernetes",
          kubeconfig: cluster.kubeconfigPath,
          namespace: name,
          image: "tessera:test",
          scheduler,
          cpu: "1",
          memory: "1Gi",
          shmSize: "64Mi",
          results: { hostPath: resultsDir },
        },
      ],
    },
  });
}
