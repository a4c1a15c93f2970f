/** What DCGM's health watch makes of an XID. It reads numbers from the driver, never the kernel log. */
export type DcgmResult = "fail" | "warn";

const fails: ReadonlySet<number> = new Set([48, 64, 74, 79, 95, 119, 120, 140]);
const warns: ReadonlySet<number> = new Set([
  31, 32, 38, 39, 42, 43, 54, 56, 57, 58, 60, 61, 62, 63, 67, 73, 78, 93, 94, 121, 137,
]);

/** Null for one that DCGM does not watch. XID 93 counts on Volta alone. */
export function dcgmResultOf(xid: number): DcgmResult | null {
  if (fails.has(xid)) return "fail";
  return warns.has(xid) ? "warn" : null;
}
