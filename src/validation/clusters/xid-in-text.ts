// "NVRM: Xid (PCI:0000:3b:00): 79, ..." as the driver logs it, "XID 79" as people write it.
const xidPattern = /\bxid\b(?:\s*\([^)]{0,40}\))?[\s:=#]{0,4}(\d{1,3})\b/i;

/** The number of the driver error that a text tells of; undefined when it tells of none. */
export function xidIn(text: string): number | undefined {
  const number = xidPattern.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}
