import { hasPattern, nvlink5Rules } from "./rules.ts";

const xids: ReadonlySet<number> = new Set(nvlink5Rules.map(({ xid }) => xid));
/** From this driver on the first register is laid out anew. */
const newLayoutFrom = 575;
const int64Max = 2n ** 63n - 1n;

/** True for a number whose long form NVSentinel decodes; others it reads as if they were short. */
export function decodesLongForm(xid: number): boolean {
  return xids.has(xid);
}

/**
 * Whether NVSentinel wants the GPU reset because of a long form; in every other case, also when no
 * row of the table fits, it wants nothing. Unit and severity in the line do not matter to it.
 *
 * @param registers as written, with `0x`: the status is compared as text
 */
export function wantsReset(
  xid: number,
  registers: { readonly intrInfo: string; readonly status: string },
  driver: string,
): boolean {
  const register = low32Bits(registers.intrInfo);
  const newLayout = isNewLayout(driver);
  const rule = nvlink5Rules.find(
    (one) =>
      one.xid === xid &&
      (one.status === null || `0x${one.status}` === registers.status) &&
      hasPattern(register, newLayout ? one.v2 : one.v1),
  );
  return rule?.action === "RESET_GPU";
}

/** What is no number counts as old. */
function isNewLayout(driver: string): boolean {
  const [major = ""] = driver.split(".");
  return /^[+-]?\d+$/.test(major) && Number(major) >= newLayoutFrom;
}

/** It reads 64 bits, stops at their greatest value, and looks at the lowest 32. */
function low32Bits(hex: string): number {
  const value = BigInt(hex);
  return Number(BigInt.asUintN(32, value > int64Max ? int64Max : value));
}
