import type { ExpectedGpus } from "./expected-gpus.ts";
import type { Finding } from "./finding.ts";
import type { GateMeasure } from "./judge-sightings.ts";
import { pendingXids } from "./pending-xids.ts";
import type { DriverSighting, GpuSighting, Sighting, XidsSighting } from "./sightings.ts";

const hourMs = 3_600_000;

type ListedGpu = NonNullable<DriverSighting["gpus"]>[number];

/** What a gate makes of the GPUs: are they all there, and is one known to be broken. */
export function judgeGpus(
  sightings: readonly Sighting[],
  { expected, options, nowMs }: GateMeasure,
): readonly Finding[] {
  const driver = sightings.find((seen) => seen.saw === "driver");
  if (driver === undefined || isWithoutGpus(driver, expected)) return [];
  if (driver.gpus === undefined || driver.gpus.length === 0)
    return [silentDriver(driver, expected)];
  const concerned = concernedGpus(driver.gpus, { expected, isDivided: driver.isDivided });
  const findings = [
    judgeCount(driver.gpus, { driver, expected }),
    ...judgeUnmapped(driver, expected),
  ];
  for (const gpu of concerned) {
    const seen = sightings.find((one) => one.saw === "gpu" && one.uuid === gpu.uuid);
    if (seen?.saw === "gpu") findings.push(judgeGpu(gpu, seen));
  }
  const xids = sightings.find((seen) => seen.saw === "xids");
  if (xids !== undefined) {
    const isWhole = concerned.length === driver.gpus.length;
    const sinceMs = nowMs - options.xidHours * hourMs;
    findings.push(judgeXids(xids, { gpus: concerned, isWhole, sinceMs, hours: options.xidHours }));
  }
  return findings;
}

/** No driver where nobody expects a GPU is a machine without GPUs. */
export function isWithoutGpus(
  { gpus, inKernel, onBus }: DriverSighting,
  { count, ofJob = [], problem }: ExpectedGpus,
): boolean {
  const isExpected = count === undefined ? ofJob.length > 0 || problem !== undefined : count > 0;
  return !isExpected && inKernel === 0 && onBus === 0 && (gpus?.length ?? 0) === 0;
}

/** Those of the job that can be told; all of the machine where there is no job, or its numbers are not of GPUs. */
export function concernedGpus(
  gpus: readonly ListedGpu[],
  { expected, isDivided }: { readonly expected: ExpectedGpus; readonly isDivided: boolean },
): readonly ListedGpu[] {
  const { ofJob } = expected;
  return ofJob === undefined || isDivided
    ? gpus
    : gpus.filter(({ minor }) => minor !== undefined && ofJob.includes(minor));
}

/** Numbers of the job that no GPU is known to have: its device file may be another one's. */
export function unmappedNumbers(
  { gpus = [], isDivided }: DriverSighting,
  { ofJob = [] }: ExpectedGpus,
): readonly number[] {
  return isDivided ? [] : ofJob.filter((number) => !gpus.some(({ minor }) => minor === number));
}

function judgeUnmapped(driver: DriverSighting, expected: ExpectedGpus): readonly Finding[] {
  const numbers = unmappedNumbers(driver, expected);
  if (numbers.length === 0) return [];
  const words = `the job has GPU ${numbers.join(", ")}, and the driver knows none with that device file`;
  return [{ name: "gpus of the job", status: "unknown", words }];
}

/** The machine has GPUs, or somebody expects them, and there is no answer for them. */
function silentDriver(
  { problem = "it lists none", inKernel, onBus, isLoaded, isAnswer }: DriverSighting,
  { count, ofJob = [] }: ExpectedGpus,
): Finding {
  const wanted = count ?? (ofJob.length > 0 ? ofJob.length : Math.max(inKernel, onBus));
  if (!isLoaded) {
    const words = `${gpusOf(wanted)} must be here, and the kernel has no driver (${problem})`;
    return { name: "driver", status: "fail", words };
  }
  return {
    name: "driver",
    status: isAnswer ? "fail" : "unknown",
    words: isAnswer
      ? `the driver does not answer for ${gpusOf(wanted)}: ${problem}`
      : `the driver could not be asked: ${problem}`,
  };
}

/** `1 GPU`, `8 GPUs`. */
export function gpusOf(count: number): string {
  return `${count} ${count === 1 ? "GPU" : "GPUs"}`;
}

function judgeCount(
  gpus: readonly ListedGpu[],
  given: { readonly driver: DriverSighting; readonly expected: ExpectedGpus },
): Finding {
  const { expected, driver } = given;
  const { count, ofJob = [], problem } = expected;
  const name = "driver";
  const has = `the driver answers for ${gpusOf(gpus.length)}`;
  if (count !== undefined && gpus.length !== count) {
    return { name, status: "fail", words: `${has}, and this machine must have ${count}` };
  }
  if (driver.inKernel > gpus.length) {
    return { name, status: "fail", words: `${has}, and the kernel lists ${driver.inKernel}` };
  }
  if (driver.isDivided)
    return { name, status: "pass", words: `${has}, some of them divided (MIG)` };
  if (problem !== undefined) return { name, status: "unknown", words: problem };
  if (ofJob.length <= gpus.length) return { name, status: "pass", words: has };
  return { name, status: "fail", words: `${has}, and the job has ${ofJob.length}` };
}

function judgeGpu({ index, uuid }: ListedGpu, seen: GpuSighting): Finding {
  const name = `gpu ${index}`;
  const named = `${name} (${uuid})`;
  const { problem, remapFailed, remapPending, eccUncorrected, pids = [] } = seen;
  const is = (status: Finding["status"], words: string): Finding => {
    return { name, status, words: `${named}: ${words}` };
  };
  // An answer that is an error: lost, in need of a reset, or a fault of the driver.
  if (problem !== undefined) return is("fail", problem);
  if (remapFailed === true) return is("fail", "a row of memory is broken and cannot be replaced");
  if (remapPending === true) return is("fail", "a row of memory waits for a reset to be replaced");
  if ((eccUncorrected ?? 0) > 0) {
    return is("fail", `${eccUncorrected} errors of memory that ECC could not mend`);
  }
  if (pids.length > 0) return is("warn", `process ${pids.slice(0, 5).join(", ")} computes on it`);
  const notTold = remapPending === null && eccUncorrected === null;
  return is("pass", notTold ? "it counts no errors of memory" : "no errors of memory");
}

function judgeXids(
  { events, problem }: XidsSighting,
  o: {
    readonly gpus: readonly ListedGpu[];
    readonly isWhole: boolean;
    readonly sinceMs: number;
    readonly hours: number;
  },
): Finding {
  const name = "xids";
  if (events === undefined) return { name, status: "unknown", words: problem ?? "not read" };
  const pending = pendingXids(events, o.sinceMs).filter(
    ({ pciBusId }) => o.isWhole || o.gpus.some((gpu) => gpu.pciBusId === pciBusId),
  );
  const [first] = pending;
  if (first === undefined) {
    return { name, status: "pass", words: `no XID of broken hardware in ${o.hours} h` };
  }
  const more = pending.length > 1 ? `, and ${pending.length - 1} more` : "";
  const words = `XID ${first.xid} of ${first.pciBusId} (${first.text.slice(0, 120)})${more}`;
  return { name, status: "fail", words };
}
