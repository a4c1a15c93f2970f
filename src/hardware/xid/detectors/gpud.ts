import { type GpudEventType, sxidReaction, xidEntry } from "../catalogue/index.ts";
import { isFatalLongForm } from "../nvlink5/index.ts";
import { type Detection, integerOf } from "./detection.ts";
import { firstAfter } from "./first-after.ts";

/** An event that gpud makes of a line. */
export interface GpudEvent extends Detection {
  readonly eventType: GpudEventType;
}

// Its patterns; `\s` of its language is narrower than that of this one.
const xidHead = /NVRM: Xid \((?:PCI:)?([\da-fA-F:]+)\)/g;
const sxidHead = /SXid/g;
const numberAndComma = /: (\d+),/g;
const longPattern =
  /NVRM: Xid \(PCI:([\da-fA-F:]+)\): (\d+)(?:, pid=\d+, name=[^,]+)?, ([A-Z_]+(?:\/[A-Z_]+)?)[\t\n\f\r ]+(Nonfatal|Fatal)[\t\n\f\r ]+XC[01][\t\n\f\r ]+i\d+[\t\n\f\r ]+Link[\t\n\f\r ]+(-?\d+)[\t\n\f\r ]+\((0x[\da-fA-F]+)[\t\n\f\r ]+(0x[\da-fA-F]+)/;
const sxidAddress = /SXid \(PCI:([\da-fA-F:.]+)\)/;
const address = "((?:[\\da-fA-F]{4}:)?[\\da-fA-F]{2}:[\\da-fA-F]{2})\\.0";
const fallenShort = new RegExp(
  `NVRM:[\\t\\n\\f\\r ]+GPU ${address}:[\\t\\n\\f\\r ]+GPU has fallen off the bus`,
);
const fallenLong = new RegExp(`NVRM:[\\t\\n\\f\\r ]+The NVIDIA GPU ${address}`);
const fallenEnd = "fallen off the bus and is not responding to commands.";
const ranks: readonly GpudEventType[] = ["Info", "Warning", "Critical", "Fatal"];

/** What gpud makes of the text of a record of the kernel log. */
export function gpudReads(text: string): GpudEvent | undefined {
  return readXid(text) ?? readSxid(text);
}

function readXid(text: string): GpudEvent | undefined {
  const long = readLong(text);
  if (long !== undefined) return long;
  const found = firstAfter(text, xidHead, numberAndComma);
  const number = found === undefined ? 0 : (integerOf(found.tail[1] ?? "") ?? 0);
  // A zero, also one that was too long to be read, is no XID to it: it then looks further.
  return number === 0 ? readFallen(text) : xidEvent(number, found?.head[1] ?? "");
}

function xidEvent(number: number, pci: string): GpudEvent | undefined {
  const eventType = xidEntry(number)?.gpud?.eventType;
  return eventType === undefined ? undefined : { kind: "xid", number, pci, eventType };
}

/** Any XID that it knows may have the long form. The worse of its tables and the line's word counts. */
function readLong(text: string): GpudEvent | undefined {
  const match = longPattern.exec(text);
  if (match === null) return undefined;
  const [, pci = "", digits = "", unit = "", word, link = "", first = "", second = ""] = match;
  const number = integerOf(digits);
  const intrInfo = uint32Of(first);
  const status = uint32Of(second);
  if (number === undefined || intrInfo === undefined || status === undefined) return undefined;
  if (integerOf(link.replace("-", "")) === undefined) return undefined;
  const plain = xidEvent(number, pci);
  if (plain === undefined) return undefined;
  const fatal = isFatalLongForm({ xid: number, unit, intrInfo, status });
  const byTable = fatal === undefined ? plain.eventType : fatal ? "Fatal" : "Warning";
  return { ...plain, eventType: worse(byTable, word === "Fatal" ? "Fatal" : "Warning") };
}

function readFallen(text: string): GpudEvent | undefined {
  const short = fallenShort.exec(text);
  if (short !== null) return fallenEvent(short[1] ?? "");
  const long = fallenLong.exec(text);
  if (long === null || !text.includes(fallenEnd, long.index + long[0].length)) return undefined;
  return fallenEvent(long[1] ?? "");
}

function fallenEvent(found: string): GpudEvent {
  const pci = found.split(":").length === 2 ? `0000:${found}` : found;
  return { kind: "fallen-off-bus", number: 79, pci, eventType: "Fatal" };
}

/** The word is enough for it; severity comes from its own table. */
function readSxid(text: string): GpudEvent | undefined {
  const digits = firstAfter(text, sxidHead, numberAndComma)?.tail[1];
  const number = digits === undefined ? undefined : integerOf(digits);
  const eventType = number === undefined ? undefined : sxidReaction(number)?.eventType;
  if (number === undefined || eventType === undefined) return undefined;
  return { kind: "sxid", number, pci: sxidAddress.exec(text)?.[1] ?? "", eventType };
}

function uint32Of(hex: string): number | undefined {
  const value = BigInt(hex);
  return value > 0xffff_ffffn ? undefined : Number(value);
}

function worse(a: GpudEventType, b: GpudEventType): GpudEventType {
  return ranks.indexOf(b) > ranks.indexOf(a) ? b : a;
}
