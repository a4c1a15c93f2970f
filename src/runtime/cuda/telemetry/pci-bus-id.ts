/**
 * A GPU's place on the PCI bus in one spelling, `0000:19:00.0`: NVML writes eight digits of domain,
 * the kernel log leaves out the function, and both differ in case. Undefined when it is none.
 */
export function normalizePciBusId(text: string): string | undefined {
  const match = /^(?:PCI:)?([\da-f]{4,8}):([\da-f]{2}):([\da-f]{2})(?:\.([\da-f]))?$/i.exec(text);
  if (match === null) return undefined;
  const [, domain = "", bus = "", device = "", place = "0"] = match;
  const digits = domain.replace(/^0+(?=[\da-f]{4})/i, "");
  return `${digits}:${bus}:${device}.${place}`.toLowerCase();
}
