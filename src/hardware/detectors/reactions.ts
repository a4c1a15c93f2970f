import { isTesseraError } from "../../platform/errors/index.ts";
import { formatXidLine, type GpudReaction, parseKernelLine, xidEntry } from "../xid/index.ts";
import type { RecommendedAction, XidReading } from "./nvsentinel/index.ts";

/** What every detector does with one line, by the catalogue and by reading the very line. */
export interface LineReactions {
  readonly nvsentinel: { readonly matched: boolean; readonly action: RecommendedAction };
  /** Null: gpud does not match the line. */
  readonly gpud: GpudReaction | null;
  /** DCGM asks the driver and never reads the log: a line that is not true does nothing to it. */
  readonly dcgm: { readonly real: "fail" | "warn" | null };
}

/** The reactions to a line as it stands in the log. */
export function reactionsTo(text: string): LineReactions {
  const parsed = parseKernelLine(text);
  const entry = parsed.xid === undefined ? undefined : xidEntry(parsed.xid);
  const { matched, action = "NONE" } = parsed.nvsentinel;
  const { eventType } = parsed.gpud;
  return {
    nvsentinel: { matched, action },
    gpud: eventType === undefined ? null : { eventType, actions: entry?.gpud?.actions ?? [] },
    dcgm: { real: entry?.dcgm ?? null },
  };
}

/** What NVSentinel does about an XID, with the text that shall stand in its line. */
export function nvSentinelActionOf(xid: number, text?: string): RecommendedAction {
  const written = xidLine({ xid, ...(text === undefined ? {} : { text }) });
  const read = "line" in written ? parseKernelLine(written.line).nvsentinel : undefined;
  return read?.action ?? xidEntry(xid)?.nvsentinel.action ?? "CONTACT_SUPPORT";
}

/** A line as it will stand in the log, or why it cannot be written. */
export function xidLine(parts: {
  readonly xid: number;
  readonly text?: string;
  /** @default one that stands for any */
  readonly pci?: string;
  /** @default one that stands for any */
  readonly correlationId?: string;
}): { readonly line: string } | { readonly problem: string } {
  try {
    return { line: formatXidLine({ pci: "0000:00:00", correlationId: "000000000000", ...parts }) };
  } catch (error) {
    if (isTesseraError(error)) return { problem: error.message };
    throw error;
  }
}

/** For the simulator: how NVSentinel's syslog monitor reads a line. */
export function readXidLine(text: string): XidReading | undefined {
  const { kind, xid, pci, nvsentinel } = parseKernelLine(text);
  if (kind !== "xid" || !nvsentinel.matched || xid === undefined || pci === undefined)
    return undefined;
  return { xid, pci: pci.replace(/\.[0-9a-f]+$/i, ""), action: nvsentinel.action ?? "NONE" };
}
