/**
 * What an XID says about who is to blame: the hardware (no work on the GPU can be trusted until it
 * was reset or replaced), the program that ran (the hardware only when it comes back under one that
 * is proven), or nobody (a note of something that was dealt with).
 */
export type XidBlame = "hardware" | "program" | "note" | "unknown";

// https://docs.nvidia.com/deploy/xid-errors: those whose action is a reset, a reboot or support, and
// 94, a memory error that could not be mended even though only one program met it.
const hardware = new Set([
  46, 48, 54, 62, 64, 74, 79, 94, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158,
]);
const program = new Set([8, 11, 13, 31, 32, 43, 45, 68, 69]);
const notes = new Set([63, 92, 137]);
const link5 = { first: 144, last: 150 } as const;
const recoveryAction = 154;

/** Who is to blame for an XID, by its number and, where that leaves it open, its text. */
export function xidBlame(xid: number, text = ""): XidBlame {
  if (xid >= link5.first && xid <= link5.last) {
    return /\bnon-?fatal\b/i.test(text) ? "note" : "hardware";
  }
  if (xid === recoveryAction) {
    // "… changed from 0x1 (GPU Reset Required) to 0x0 (None)": what it is now counts.
    const now = text.slice(Math.max(0, text.lastIndexOf(" to ")));
    return /\b(reset|reboot)\b/i.test(now) ? "hardware" : "note";
  }
  if (hardware.has(xid)) return "hardware";
  if (program.has(xid)) return "program";
  return notes.has(xid) ? "note" : "unknown";
}
