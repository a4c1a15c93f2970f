import { formatBytes } from "../../../platform/units/index.ts";
import type { ExpectedGpus } from "./expected-gpus.ts";
import type { Finding } from "./finding.ts";
import { judgeGpus } from "./judge-gpus.ts";
import type { GateOptions } from "./options.ts";
import type { Sighting } from "./sightings.ts";

const mib = 2 ** 20;
const memoryFreeMiBDefault = 1024;
/** Answers of a file system that no healthy one gives. */
const brokenCodes = new Set(["EROFS", "EIO", "ENOSPC", "EDQUOT", "ESTALE", "EUCLEAN"]);

/** What a gate is held to. */
export interface GateMeasure {
  readonly options: GateOptions;
  readonly expected: ExpectedGpus;
  /** Whether Slurm asks for a job that is about to start; others' jobs may be here already. */
  readonly isBeforeJob: boolean;
  readonly nowMs: number;
}

/** What the sightings of a machine come to. Only what was proved is bad. */
export function judgeSightings(
  sightings: readonly Sighting[],
  measure: GateMeasure,
): readonly Finding[] {
  const { options, isBeforeJob } = measure;
  const host = sightings.flatMap((seen): Finding[] => {
    if (seen.saw === "memory") return [judgeMemory(seen.availableBytes, { options, isBeforeJob })];
    return seen.saw === "folder" ? [judgeFolder(seen, options)] : [];
  });
  return [...host, ...judgeGpus(sightings, measure)];
}

function judgeMemory(
  availableBytes: number,
  { options, isBeforeJob }: Pick<GateMeasure, "options" | "isBeforeJob">,
): Finding {
  const neededBytes = (options.memoryFreeMiB ?? memoryFreeMiBDefault) * mib;
  const is = (status: Finding["status"], more: string): Finding => {
    const words = `${formatBytes(availableBytes)} of memory are available${more}`;
    return { name: "memory", status, words };
  };
  if (availableBytes >= neededBytes) return is("pass", "");
  // A neighbour that uses what it was given is no fault of the machine.
  if (isBeforeJob && options.memoryFreeMiB === undefined) {
    return is("warn", ", and others' jobs may have the rest");
  }
  return is("fail", `, and ${formatBytes(neededBytes)} must be`);
}

function judgeFolder(
  { path, freeBytes, problem }: Extract<Sighting, { saw: "folder" }>,
  { diskFreeMiB }: GateOptions,
): Finding {
  const name = `folder ${path}`;
  if (problem !== undefined) {
    const status = brokenCodes.has(problem.code) ? "fail" : "unknown";
    return { name, status, words: `${path} cannot be written: ${problem.text}` };
  }
  if (freeBytes === undefined) {
    return { name, status: "unknown", words: `${path} does not tell its room` };
  }
  const isEnough = freeBytes >= diskFreeMiB * mib;
  const short = isEnough ? "" : `, and ${formatBytes(diskFreeMiB * mib)} must be`;
  return {
    name,
    status: isEnough ? "pass" : "fail",
    words: `${formatBytes(freeBytes)} are free in ${path}${short}`,
  };
}
