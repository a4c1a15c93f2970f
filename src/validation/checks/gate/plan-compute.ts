import type { ExpectedGpus } from "./expected-gpus.ts";
import { concernedGpus, isWithoutGpus, unmappedNumbers } from "./judge-gpus.ts";
import type { GateOptions } from "./options.ts";
import type { Sighting } from "./sightings.ts";

/** What is computed before a job: on which GPUs, on the processors, or why nothing. */
export type ComputePlan =
  | { readonly on: "gpus"; readonly uuids: readonly string[] }
  | { readonly on: "host" }
  | { readonly on: "nothing"; readonly reason: string };

/** Nothing is computed where it would be in somebody's way. */
export function planCompute(
  sightings: readonly Sighting[],
  { options, expected }: { readonly options: GateOptions; readonly expected: ExpectedGpus },
): ComputePlan {
  const nothing = (reason: string) => ({ on: "nothing", reason }) as const;
  if (!options.compute) return nothing("it was not asked for");
  const driver = sightings.find((seen) => seen.saw === "driver");
  if (driver === undefined || isWithoutGpus(driver, expected)) return { on: "host" };
  if (driver.gpus === undefined) return nothing("the driver does not answer");
  if (driver.isDivided)
    return nothing("GPUs are divided (MIG), and their parts are not ours to choose");
  if (!expected.isOurs) return nothing("the job names no GPU, and others may have them");
  if (unmappedNumbers(driver, expected).length > 0)
    return nothing("it is not certain which GPUs the job has");
  // One about which that could not be told may be in use, too.
  const isFree = ({ uuid }: { readonly uuid: string }) =>
    sightings.some((one) => one.saw === "gpu" && one.uuid === uuid && one.pids?.length === 0);
  const concerned = concernedGpus(driver.gpus, { expected, isDivided: false });
  const uuids = concerned.filter(isFree).map(({ uuid }) => uuid);
  return uuids.length === 0 ? nothing("every GPU is in use") : { on: "gpus", uuids };
}
