import type { Stats } from "node:fs";

/** The kernel's own log, or a plain file that stands for it. */
export type KernelLogKind = "device" | "file";

/** Character device 1:11 is /dev/kmsg, under whatever name it was passed in. */
const kmsgNumber = (1 << 8) | 11;

/** What a path leads to, or why it is no kernel log. */
export function kernelLogKind(
  found: Pick<Stats, "isFile" | "isCharacterDevice" | "rdev">,
): KernelLogKind | { readonly problem: string } {
  if (found.isFile()) return "file";
  if (found.isCharacterDevice()) {
    // A line in a terminal or a disk's control device would be worse than none.
    if (found.rdev === kmsgNumber) return "device";
    return { problem: "it is a device, but not the kernel's log" };
  }
  return { problem: "it is neither the kernel's log nor a plain file" };
}
