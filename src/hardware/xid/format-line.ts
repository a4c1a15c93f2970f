import { TesseraError } from "../../platform/errors/index.ts";
import { injectableXid } from "./catalogue/index.ts";
import { requiredPciOf } from "./pci-address.ts";

/** A line to be written into a kernel log. */
export interface XidLineParts {
  readonly xid: number;
  /** Of the GPU, in any form: `0000:3b:00`. */
  readonly pci: string;
  /** 12 hex digits. */
  readonly correlationId: string;
  /** What follows number, pid and name. @default the catalogue's name of the XID */
  readonly text?: string;
}

/** What the kernel keeps of one write, with room for `<3>` before it and a line end after it. */
const lineBytesMax = 976 - 4;
const longForm = /^[A-Z_]+(?:\/[A-Z_]+)? (?:Nonfatal|Fatal) XC[01] i\d+ Link -?\d+ \(0x/;
const idMark = "tessera=";
/** What starts another message in a detector's eyes: an SXid of a made-up switch even stops NVSentinel's reading. */
const otherMessage = /NVRM|SXid|nvidia-nvswitch|GPU reset executed/;

/**
 * One record in the form that NVSentinel (through journald) and gpud (from the device) both match,
 * also when a program writes it. Without the `<3>` that sets its priority.
 *
 * @throws TesseraError E_XID_UNKNOWN, E_HW_REFUSED when it would not be one record or not be read back
 */
export function formatXidLine({ xid, pci, correlationId, text }: XidLineParts): string {
  const { name } = injectableXid(xid);
  const words = text ?? textFor(xid, name);
  if (!/^[ -~]+$/.test(words)) throw refused("its text must be printable ASCII on one line");
  if (words.includes(idMark)) throw refused(`its text must not hold \`${idMark}\``);
  if (otherMessage.test(words)) throw refused("its text must not hold another message");
  if (!isCorrelationId(correlationId)) throw refused("its correlation id must be 12 hex digits");
  // gpud reads the long form of NVLink 5 only with a process number or with no process at all.
  const process = longForm.test(words) ? "" : "pid='<unknown>', name=<unknown>, ";
  const line = `kernel: NVRM: Xid (PCI:${requiredPciOf(pci)}): ${xid}, ${process}${words} ${idMark}${correlationId}`;
  if (line.length > lineBytesMax) throw refused(`it is longer than ${lineBytesMax} bytes`);
  return line;
}

/** The correlation id in a line; undefined when it has none. */
export function correlationIdIn(text: string): string | undefined {
  return /(?:^|\s)tessera=([\da-f]{12})(?![\da-f])/.exec(text)?.[1];
}

function isCorrelationId(text: string): boolean {
  return /^[\da-f]{12}$/.test(text);
}

/** XID 154 means what stands in its last brackets. */
function textFor(xid: number, name: string): string {
  return xid === 154 ? recoveryText("GPU Reset Required") : `${name}.`;
}

/** What XID 154 says when the driver wants something else done than before. */
export function recoveryText(
  action: "None" | "GPU Reset Required" | "Node Reboot Required" | "Drain and Reset",
): string {
  const numbers = {
    None: "0x0",
    "GPU Reset Required": "0x1",
    "Node Reboot Required": "0x2",
    "Drain and Reset": "0x4",
  };
  return `GPU recovery action changed from 0x0 (None) to ${numbers[action]} (${action})`;
}

function refused(problem: string): TesseraError {
  return new TesseraError("E_HW_REFUSED", { what: "The kernel line", problem });
}
