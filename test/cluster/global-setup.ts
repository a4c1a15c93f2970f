import type { TestProject } from "vitest/node";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { buildMissing } from "./binaries/build.ts";
import { helm, kubernetes, kwok, volcano } from "./binaries/parts.ts";
import { startCluster } from "./fixture.ts";
import { clusterAvailability } from "./machine/availability.ts";
import { machineHas } from "./machine/probes.ts";
import type { SharedCluster } from "./shared.ts";
import { installSlurm } from "./slurm/install.ts";

/**
 * Before the suites of project "cluster": builds what is missing and starts the one cluster that
 * they share (control plane only), and installs Slurm, for what is about both. Suites that break
 * things or need nodes start their own. Where this machine cannot run one, says why; the suites
 * then report themselves as skipped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await installSlurm(say);
  const availability = clusterAvailability();
  if (!availability.ok) {
    const reason = `missing: ${availability.missing.join(", ")}; ${availability.hint}`;
    say(`no cluster on this machine, its suites are skipped; ${reason}`);
    project.provide("cluster", { running: false, reason });
    return async () => {};
  }
  // Here, where no test's time limit runs: suites that need more than the control plane find it.
  const parts = machineHas("go") ? [kubernetes, kwok, volcano, helm] : [kubernetes];
  await buildMissing(parts, { clock: createRealClock(), onProgress: say });
  const cluster = await startCluster({ onProgress: say });
  say(`shared cluster "${cluster.name}" is ready at ${cluster.serverUrl}`);
  const shared: SharedCluster = {
    running: true,
    name: cluster.name,
    kubeconfigPath: cluster.kubeconfigPath,
    serverUrl: cluster.serverUrl,
  };
  project.provide("cluster", shared);
  return () => cluster.stop();
}

function say(text: string): void {
  process.stderr.write(`cluster: ${text}\n`);
}
