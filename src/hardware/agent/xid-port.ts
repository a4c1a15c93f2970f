import {
  correlationIdIn,
  cudaCodesOf,
  formatXidLine,
  parseKernelLine,
  pciOf,
} from "../xid/index.ts";
import type { SeenXid, XidPort } from "./agent-options.ts";

/** The catalogue as the agent asks it. */
export const xidPort: XidPort = {
  codesOf: cudaCodesOf,
  formatLine: formatXidLine,
  parse: seenXid,
};

/** Fatal is what NVSentinel calls fatal; what only gpud sees is as bad as gpud says. */
function seenXid(text: string): SeenXid | undefined {
  const { kind, xid, pci = "", nvsentinel, gpud } = parseKernelLine(text);
  if (xid === undefined || (kind !== "xid" && kind !== "fallen-off-bus")) return undefined;
  const correlationId = correlationIdIn(text);
  return {
    xid,
    pci: pciOf(pci) ?? pci,
    fatal: nvsentinel.matched ? nvsentinel.isFatal === true : gpud.eventType === "Fatal",
    ...(correlationId === undefined ? {} : { correlationId }),
  };
}
