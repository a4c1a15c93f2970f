import { normalizePciBusId } from "../pci-bus-id.ts";
import type { XidEvent } from "../telemetry.ts";
import type { KernelLine } from "./kernel-log.ts";

// Drivers write `NVRM: Xid (PCI:0000:19:00): 79, text`; old ones leave `PCI:` out, a part of a GPU
// (MIG) adds its own number, and some write the PCI function.
const xidPattern =
  /NVRM: Xid \((?:PCI:)?([\da-f]{4,8}:[\da-f]{2}:[\da-f]{2}(?:\.[\da-f])?)[^)]*\): (\d+)(?=,|$|\s)(?:, ?)?(.*)$/is;
// A GPU that is gone is not always given an XID of its own.
const gonePattern =
  /NVRM: (?:The NVIDIA GPU|GPU) ([\da-f]{4,8}:[\da-f]{2}:[\da-f]{2}\.[\da-f]):?.*fallen off the bus/is;
const fallenOffTheBus = 79;

/** The XID that a message of the kernel tells of; undefined when it tells of none. */
export function parseXid({ text, atMs }: Pick<KernelLine, "text" | "atMs">): XidEvent | undefined {
  const match = xidPattern.exec(text);
  if (match !== null) {
    const [, address = "", xid, what = ""] = match;
    const pciBusId = normalizePciBusId(address);
    return pciBusId === undefined
      ? undefined
      : { atMs, pciBusId, xid: Number(xid), text: what.trim() };
  }
  const pciBusId = normalizePciBusId(gonePattern.exec(text)?.[1] ?? "");
  if (pciBusId === undefined) return undefined;
  return { atMs, pciBusId, xid: fallenOffTheBus, text: "GPU has fallen off the bus." };
}
