import {
  disagreement,
  parseKernelLine,
  sxidReaction,
  xidCatalogue,
  xidEntry,
  xidSources,
} from "../../hardware/xid/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";
import { showCatalogue, showSxid, showUnknown, showXid } from "../xid/show-xid.ts";

/** `tessera xid explain [xid]`. */
export const run: Action = async ({ args, globals, io }) => {
  const [typed] = args;
  if (typed === undefined) {
    if (globals.json) writeJson(io.stdout, { sources: xidSources, xids: xidCatalogue });
    else for (const line of showCatalogue(xidCatalogue)) writeLine(io.stdout, line);
    return exitCodes.good;
  }
  const xid = numberIn(typed);
  const entry = xidEntry(xid);
  const sxid = entry === undefined ? sxidReaction(xid) : null;
  const plain = parseKernelLine(`NVRM: Xid (PCI:0000:3b:00): ${xid}, text`);
  const disagree = disagreement(plain) ?? null;
  if (globals.json) {
    const reactions = { nvsentinel: plain.nvsentinel, gpud: plain.gpud };
    const known = entry ?? { xid, ...(sxid === null ? reactions : { sxid: true, gpud: sxid }) };
    writeJson(io.stdout, { known: entry !== undefined, ...known, disagree, sources: xidSources });
    return exitCodes.good;
  }
  const lines =
    entry !== undefined
      ? showXid(entry, disagree)
      : sxid !== null
        ? showSxid(xid, sxid)
        : showUnknown(xid);
  for (const line of lines) writeLine(io.stdout, line);
  return exitCodes.good;
};

/** People copy `Xid 79` from logs. */
function numberIn(typed: string): number {
  const digits = /^(?:s?xid[ :=-]?)?(\d{1,9})$/i.exec(typed.trim())?.[1];
  if (digits === undefined) {
    throw usageError("xid explain", `\`${typed}\` is no number of an XID.`);
  }
  return Number(digits);
}
