import { type NvSentinelAction, xidEntry } from "../catalogue/index.ts";
import { decodesLongForm, wantsReset } from "../nvlink5/index.ts";
import { type Detection, integerOf } from "./detection.ts";

/** An event that NVSentinel's syslog monitor makes of a line. */
export interface NvSentinelEvent extends Detection {
  readonly action: NvSentinelAction;
  readonly isFatal: boolean;
}

// Its patterns, which have no anchors and know one spelling. `\s` and `.` of its language are
// narrower than those of this one.
const xidPattern = /NVRM: Xid \(PCI:([\da-fA-F:.]+)\): (\d+)/;
const longPattern =
  /NVRM: Xid \(PCI:([^)]+)\): (\d+)(?:, pid=[^,]*)?(?:, name=[^,]*)?, \w+[\t\n\f\r ]+\w+[\t\n\f\r ]+\w+[\t\n\f\r ]+\w+[\t\n\f\r ]+Link[\t\n\f\r ]+-?\d+[\t\n\f\r ]+\((0x[\da-fA-F]+)[\t\n\f\r ]+(0x[\da-fA-F]+)/;
const sxidPattern =
  /nvidia-nvswitch(\d+): SXid \(PCI:([\da-fA-F:.]+)\): (\d+), (Fatal|Non-fatal), Link (\d+) [^\n]/;
const fallenStart = "NVRM: The NVIDIA GPU ";
const fallenPattern = /NVRM: The NVIDIA GPU [\da-fA-F:.]+/;
const fallenEnd = "fallen off the bus and is not responding to commands";
/** Lines that it takes for something else before it looks for an XID. */
const otherLines = [
  /NVRM: GPU at PCI:[\da-fA-F:.]+: GPU-[\da-fA-F-]+/,
  /GPU reset executed: GPU-[\da-fA-F-]+, success: (?:true|false)/,
];

/** What NVSentinel makes of the text of a journal entry; every GPU and switch is in its metadata. */
export function nvSentinelReads(text: string, driver: string): NvSentinelEvent | undefined {
  return readXid(text, driver) ?? readSxid(text) ?? readFallen(text);
}

function readXid(text: string, driver: string): NvSentinelEvent | undefined {
  if (otherLines.some((pattern) => pattern.test(text))) return undefined;
  const long = longPattern.exec(text);
  if (long !== null) {
    const [, pci = "", digits = "", intrInfo = "", status = ""] = long;
    const number = integerOf(digits);
    // It gives up on a number that is too long, also when a shorter one stands before it.
    if (number === undefined) return undefined;
    if (decodesLongForm(number)) {
      const reset = wantsReset(number, { intrInfo, status }, driver);
      return xidEvent(number, pci, reset ? "COMPONENT_RESET" : "NONE");
    }
  }
  const [, pci = "", digits] = xidPattern.exec(text) ?? [];
  const number = digits === undefined ? undefined : integerOf(digits);
  return number === undefined ? undefined : xidEvent(number, pci, actionFor(number, text));
}

/** It leaves out the function digit. */
function xidEvent(number: number, pci: string, action: NvSentinelAction): NvSentinelEvent {
  const [address = ""] = pci.split(".");
  return { kind: "xid", number, pci: address, action, isFatal: action !== "NONE" };
}

/** A number that it does not know calls support, which is fatal. */
function actionFor(xid: number, text: string): NvSentinelAction {
  if (xid === 154) return recoveryAction(text);
  return xidEntry(xid)?.nvsentinel.action ?? "CONTACT_SUPPORT";
}

/** What stands in the last brackets, to the letter. Cut short, that is the state before. */
function recoveryAction(text: string): NvSentinelAction {
  const from = text.lastIndexOf("(");
  const to = text.lastIndexOf(")");
  if (from > to) return "CONTACT_SUPPORT";
  switch (text.slice(from + 1, to)) {
    case "None":
      return "NONE";
    case "GPU Reset Required":
    case "Drain and Reset":
      return "COMPONENT_RESET";
    case "Node Reboot Required":
      return "RESTART_BM";
    default:
      return "CONTACT_SUPPORT";
  }
}

/** It believes the word in the line and has no table. */
function readSxid(text: string): NvSentinelEvent | undefined {
  const match = sxidPattern.exec(text);
  if (match === null) return undefined;
  const [, nvswitch = "", pci = "", digits = "", word = "", link = ""] = match;
  const number = integerOf(digits);
  if (number === undefined || integerOf(nvswitch) === undefined || integerOf(link) === undefined) {
    return undefined;
  }
  const isFatal = word !== "Non-fatal";
  return { kind: "sxid", number, pci, isFatal, action: isFatal ? "CONTACT_SUPPORT" : "NONE" };
}

/** Only where no XID stands in the same record. */
function readFallen(text: string): NvSentinelEvent | undefined {
  const match = xidPattern.test(text) ? null : fallenPattern.exec(text);
  if (match === null) return undefined;
  const from = match.index + fallenStart.length;
  const words = text.lastIndexOf(fallenEnd);
  if (words <= from) return undefined;
  // The address ends where the words begin, although `fa` could belong to it.
  const pci = text.slice(from, Math.min(match.index + match[0].length, words));
  return { kind: "fallen-off-bus", number: 79, pci, isFatal: true, action: "RESTART_BM" };
}
