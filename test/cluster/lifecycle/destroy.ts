import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../src/platform/time/clock.ts";
import { ClusterError } from "../errors.ts";
import { isRunning, killProcess } from "../machine/processes.ts";
import { waitFor } from "../machine/wait.ts";
import { interfaceIndex } from "../namespaces/link.ts";
import { clustersRoot, pathsOf } from "../registry/paths.ts";
import { livenessOf, readRecord } from "../registry/record.ts";
import { sweepDead } from "../registry/sweep.ts";

/**
 * The kernel ends processes and takes network namespaces down in its own time, one after the other: while
 * others come and go by the dozen that takes more than half a minute.
 */
const kernelTimeoutMs = 120_000;

/**
 * Ends a cluster and removes all it left. The end is a SIGKILL to the first process of its pid
 * namespace: the kernel then ends every other one and drops mounts and network with them, so a
 * healthy cluster, a hanging one and one that died half-way take the same road. False when there
 * was no such cluster, or another process started it and `onlyIfStartedBy` says to mind that.
 */
export async function destroyCluster(
  clock: Clock,
  name: string,
  options: { readonly onlyIfStartedBy?: number } = {},
): Promise<boolean> {
  const folder = join(clustersRoot, name);
  if (!existsSync(folder)) return false;
  const record = readRecord(pathsOf(folder));
  if (livenessOf(record) === "starting" && record?.creator.pid !== process.pid) {
    throw new ClusterError(`process ${record?.creator.pid} is still starting "${name}"`);
  }
  const { onlyIfStartedBy } = options;
  if (onlyIfStartedBy !== undefined && record?.creator.pid !== onlyIfStartedBy) return false;
  const interfaceName = record?.network?.interfaceName;
  const index = interfaceName === undefined ? undefined : interfaceIndex(interfaceName);
  if (record?.init !== undefined) killProcess(record.init);
  const init = record?.init;
  const what = `the processes of ${name} to end`;
  await waitFor({ clock, what, timeoutMs: kernelTimeoutMs }, async () => !isRunning(init));
  await sweepDead(clock, folder, record);
  if (interfaceName !== undefined && index !== undefined) {
    await waitUntilInterfaceGone(clock, { interfaceName, index });
  }
  return true;
}

// The kernel takes network namespaces down in the background; another cluster may have the name by then.
async function waitUntilInterfaceGone(
  clock: Clock,
  { interfaceName, index }: { readonly interfaceName: string; readonly index: string },
): Promise<void> {
  const what = `interface ${interfaceName} to go`;
  await waitFor({ clock, what, timeoutMs: kernelTimeoutMs, intervalMs: 20 }, async () => {
    return interfaceIndex(interfaceName) !== index;
  });
}
