import { TesseraError } from "../../platform/errors/index.ts";

const forms = /^(?:PCI:)?(?:([\da-f]{4,8}):)?([\da-f]{2}):([\da-f]{2})(?:\.[\da-f])?$/i;

/**
 * An address of a GPU as the driver writes it into the kernel log, `0000:3b:00`, from any form that
 * tools print: `00000000:3B:00.0`, `PCI:0000:3b:00`, `3b:00.0`. Undefined for anything else.
 */
export function pciOf(text: string): string | undefined {
  const match = forms.exec(text.trim());
  if (match === null) return undefined;
  const [, domain = "0", bus = "", device = ""] = match;
  const short = Number.parseInt(domain, 16).toString(16).padStart(4, "0");
  return `${short}:${bus}:${device}`.toLowerCase();
}

/**
 * The same for an address that must be one.
 *
 * @throws TesseraError E_HW_REFUSED
 */
export function requiredPciOf(text: string): string {
  const pci = pciOf(text);
  if (pci !== undefined) return pci;
  const problem = `${JSON.stringify(text)} is no PCI address such as 0000:3b:00`;
  throw new TesseraError("E_HW_REFUSED", { what: "The kernel line", problem });
}
