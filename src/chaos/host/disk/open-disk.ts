import { join } from "node:path";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import { diskSizeOf } from "./disk-size.ts";
import { LimitedDisk } from "./limited-disk.ts";

/** `tmpfs`: a disk of its own that is really filled (root); `ports`: each worker's file port refuses. */
export type DiskKind = "auto" | "tmpfs" | "ports";

/** Where the checkpoints of a run lie. */
export interface HostDisk {
  readonly root: string;
  /** Null: a folder like any other, which cannot be filled. */
  readonly limited: LimitedDisk | null;
  readonly notes: readonly string[];
}

/** Pages of it are this machine's memory. */
const jobBytesMax = 2 ** 30;

/** A disk for the checkpoints of a run. @throws E_WORLD when `tmpfs` is wanted and cannot be had */
export async function openDisk(
  plan: ChaosPlan,
  options: {
    readonly run: string;
    readonly folder: string;
    readonly clock: Clock;
    readonly kind: DiskKind;
  },
): Promise<HostDisk> {
  const { run, folder, clock, kind } = options;
  const usual = { root: join(folder, "checkpoints"), limited: null };
  if (!plan.faults.some(({ fault }) => fault === "full_storage")) return { ...usual, notes: [] };
  const { jobBytes, sizeBytes } = diskSizeOf(plan);
  const why = kind === "ports" ? "that way was asked for" : whyNot(jobBytes);
  try {
    if (why !== null) throw new Error(why);
    const limited = await LimitedDisk.mount({
      run,
      folder: join(folder, "disk"),
      sizeBytes,
      clock,
    });
    const size = formatBytes(sizeBytes);
    const note = `Checkpoints lay on a tmpfs of ${size} of their own, which full_storage really filled.`;
    return { root: limited.root, limited, notes: [note] };
  } catch (error) {
    const problem = messageOf(error);
    if (kind === "tmpfs") {
      const what = `no file system of limited size could be mounted: ${problem}`;
      throw new TesseraError("E_WORLD", { world: "host", problem: what }, { cause: error });
    }
    const note = `No disk was filled: each worker's file port refused writes, as a full one does (${problem}).`;
    return { ...usual, notes: [note] };
  }
}

/** Why no disk of that size is to be mounted; null: nothing is known against it. */
function whyNot(jobBytes: number): string | null {
  if (process.getuid?.() !== 0) return "only root may mount one";
  if (jobBytes <= jobBytesMax) return null;
  return `its checkpoints may take ${formatBytes(jobBytes)} of memory, and ${formatBytes(jobBytesMax)} is the most`;
}
