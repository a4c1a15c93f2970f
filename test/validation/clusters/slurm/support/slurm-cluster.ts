import { onTestFinished } from "vitest";
import type { SlurmClient } from "../../../../../src/platform/slurm/index.ts";
import { createRealClock } from "../../../../../src/platform/time/index.ts";
import type { Cluster } from "../../../../../src/validation/clusters/cluster.ts";
import { createSlurmCluster } from "../../../../../src/validation/clusters/slurm/index.ts";
import type { SlurmSettings } from "../../../../../src/validation/clusters/slurm/settings.ts";
import { createFakeSlurm, type FakeSlurm } from "../../../../platform/slurm/fake-slurm.ts";
import { tempDir } from "../../../../support/temp-dir.ts";
import { waitUntil } from "../../../../support/wait-until.ts";
import { settingsOf, who } from "./slurm-parts.ts";

const clock = createRealClock();

export interface Scene {
  readonly slurm: FakeSlurm;
  readonly logged: string[];
  /** Another process of ours on the same Slurm, with the loop that leads. */
  open(client?: SlurmClient, actMode?: SlurmSettings["actMode"]): Promise<Cluster>;
  /** A process with records of its own, on the same Slurm. */
  openOther(): Promise<Cluster>;
  /** Another one, which only looks. */
  look(): Promise<Cluster>;
}

/** A Slurm in memory, and processes of ours that look at it every few milliseconds. */
export async function scene(more: Partial<SlurmSettings> = {}): Promise<Scene> {
  const slurm = createFakeSlurm({ clock });
  const settings = settingsOf({ resultDir: await tempDir(), lookEveryMs: 5, ...more });
  const logged: string[] = [];
  const say = (_: unknown, text?: string) => void logged.push(text ?? "");
  const make = (
    client: SlurmClient,
    given: { readonly store?: string; readonly actMode?: SlurmSettings["actMode"] } = {},
  ) => {
    const { store = who.store, actMode = settings.actMode } = given;
    const cluster = createSlurmCluster({
      name: "prod",
      client,
      user: "tessera",
      store,
      clock,
      log: { info: say, warn: say },
      settings: { ...settings, actMode },
      env: { PATH: "/usr/bin" },
      soonMs: 1,
    });
    onTestFinished(() => cluster.stop());
    return cluster;
  };
  const started = async (cluster: Cluster) => {
    cluster.start();
    await waitUntil("the view is current", () => cluster.view().trust.state === "current");
    return cluster;
  };
  const tended = (cluster: Cluster) => {
    // As a loop does: what does not work now is tried again when something changes.
    cluster.subscribe(() => void cluster.tend?.().catch(() => undefined));
    return cluster;
  };
  return {
    slurm,
    logged,
    look: () => started(make(slurm)),
    open: (client = slurm, actMode = settings.actMode) =>
      started(tended(make(client, { actMode }))),
    openOther: () => started(tended(make(slurm, { store: "0ddba115" }))),
  };
}

export function nodeOf(cluster: Cluster, name: string) {
  return cluster.view().nodes.find((node) => node.name === name);
}

export function jobOf(cluster: Cluster, name: string) {
  return cluster.view().jobs.find((job) => job.name === name);
}
