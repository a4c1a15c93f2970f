import type { Clock } from "../../../platform/time/index.ts";
import { processesOfRun } from "../../processes/index.ts";
import { linksOf, mountsBelow, namespacesOf, type RunTraces } from "./clear-run.ts";

/**
 * What is still there of a run once it was taken back: the machine is asked, not our own list. Files are
 * looked at by whoever clears them.
 */
export async function tracesLeft(traces: RunTraces, clock: Clock): Promise<readonly string[]> {
  const { run, folder, networkPrefix } = traces;
  const processes = (await processesOfRun(run)).map(
    ({ pid, state }) => `process ${pid} of the run is still there (${state})`,
  );
  const mounts = (await mountsBelow(folder)).map((path) => `${path} is still mounted`);
  if (networkPrefix === null) return [...processes, ...mounts];
  const namespaces = await namespacesOf(networkPrefix, clock);
  const links = await linksOf(networkPrefix, clock);
  return [
    ...processes,
    ...mounts,
    ...namespaces.map((name) => `the network namespace ${name} is still there`),
    ...links.map((name) => `the network link ${name} is still there`),
  ];
}
