import { ClusterError } from "../errors.ts";
import { machineHas } from "./probes.ts";
import { findProgram } from "./programs.ts";
import type { Requirement } from "./requirements.ts";
import { runChecked } from "./run.ts";

const installTimeoutMs = 15 * 60_000;

/** Installs the Debian packages that bring what is missing; returns their names. */
export async function installPackages(
  missing: readonly Requirement[],
  onProgress: (text: string) => void,
): Promise<readonly string[]> {
  const packages = missing.flatMap(({ debianPackage }) => debianPackage ?? []);
  if (packages.length === 0) return [];
  const obstacle = !machineHas("root")
    ? "that takes root"
    : findProgram("apt-get") === undefined
      ? "there is no apt-get here"
      : undefined;
  if (obstacle !== undefined) {
    throw new ClusterError(`cannot install ${packages.join(", ")}: ${obstacle}`, { exitCode: 2 });
  }
  onProgress(`installing ${packages.join(", ")} with apt-get`);
  // At this run level the services of packages are not started: a cluster has its own.
  const env = { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const options = { timeoutMs: installTimeoutMs, env };
  await runChecked("apt-get", ["update"], options);
  await runChecked("apt-get", ["install", "-y", "--no-install-recommends", ...packages], options);
  return packages;
}
