import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { openCluster, startCluster } from "../fixture.ts";
import { describeCluster } from "../shared.ts";
import { Slurm } from "./handle.ts";

export type { Slurm } from "./handle.ts";
export { alice, bob, tessera } from "./users.ts";

export interface StartSlurmOptions {
  /** Default 4. */
  readonly nodes?: number;
  /** slurmdbd, its database, users and QOS. Default false. */
  readonly accounting?: boolean;
  /** Further lines of slurm.conf; the last of a key counts. */
  readonly conf?: readonly string[];
  /** Default: a name no one else has. */
  readonly name?: string;
  readonly onProgress?: (text: string) => void;
}

/**
 * Starts a Slurm cluster of its own for a test, without Kubernetes: `await using slurm = await
 * startSlurm()`. It ends with the scope, and with this process even when that is killed. Resolves
 * when every node is idle.
 */
export async function startSlurm(options: StartSlurmOptions = {}): Promise<Slurm> {
  const { nodes = 4, accounting = false, conf = [], ...rest } = options;
  const shape = { kubernetes: false, slurm: nodes, slurmAccounting: accounting };
  const cluster = await startCluster({ ...shape, ...rest, slurmConf: conf });
  return await Slurm.of(createRealClock(), cluster);
}

/** The Slurm of a cluster that runs already. */
export async function openSlurm(name: string): Promise<Slurm> {
  return await Slurm.of(createRealClock(), openCluster(name));
}

/** `describe` for suites that start a Slurm; skipped with the reason where the machine cannot. */
export function describeSlurm(
  title: string,
  suite: () => void,
  shape: { readonly accounting?: boolean } = {},
): void {
  const accounting = shape.accounting ?? false;
  describeCluster(title, suite, { kubernetes: false, slurm: 1, slurmAccounting: accounting });
}
