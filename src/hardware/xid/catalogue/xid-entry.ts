import { TesseraError } from "../../../platform/errors/index.ts";
import { type NvSentinelAction, nvSentinelActionFor, touchesMachine } from "./actions.ts";
import { type CudaCodes, codesOf } from "./cuda-codes.ts";
import { type DcgmResult, dcgmResultOf } from "./dcgm-results.ts";
import { type GpudReaction, reactionIn } from "./gpud-reaction.ts";
import { catalogueRows } from "./rows.ts";

/** All there is to know about an XID, and what each detector does with a plain line of it. */
export interface XidEntry {
  readonly xid: number;
  readonly name: string;
  readonly severity: "info" | "warning" | "critical";
  /** NVIDIA's name for what to do at once; null where the catalogue is silent. */
  readonly immediateAction: string | null;
  /** NVIDIA's name for what to look into; null where the catalogue is silent. */
  readonly investigatoryAction: string | null;
  /** Null where CUDA calls do not notice. */
  readonly cuda: CudaCodes | null;
  readonly nvsentinel: { readonly action: NvSentinelAction; readonly isFatal: boolean };
  /** Null for one that gpud does not know: it says nothing. */
  readonly gpud: GpudReaction | null;
  /** Null for one that DCGM does not watch. */
  readonly dcgm: DcgmResult | null;
  /**
   * NVSentinel with remediation on would reset, restart or replace something real. Of XID 144 to 150
   * and 154 the text decides; for these it says what the worst text does.
   */
  readonly realReboot: boolean;
}

/** The text of these decides what is done. */
const decidedByText: ReadonlySet<number> = new Set([144, 145, 146, 147, 148, 149, 150, 154]);
/** No action is in the catalogue for these, or one that hides how bad they are. */
const severities: Readonly<Record<number, XidEntry["severity"]>> = {
  45: "info",
  162: "info",
  166: "critical",
  167: "critical",
  169: "critical",
  171: "critical",
  172: "critical",
  173: "critical",
};

/** Every XID that NVIDIA's catalogue or gpud knows, by number. */
export const xidCatalogue: readonly XidEntry[] = catalogueRows.trim().split("\n").map(entryOf);

const byXid: ReadonlyMap<number, XidEntry> = new Map(
  xidCatalogue.map((entry) => [entry.xid, entry]),
);

/** Undefined for a number that is in no catalogue: NVSentinel calls support for it, gpud is silent. */
export function xidEntry(xid: number): XidEntry | undefined {
  return byXid.get(xid);
}

/**
 * An XID that can be injected so that NVSentinel and gpud both see it.
 *
 * @throws TesseraError E_XID_UNKNOWN
 */
export function injectableXid(xid: number): XidEntry {
  const entry = byXid.get(xid);
  if (entry === undefined) throw unknown(xid, "it is in no catalogue");
  if (entry.gpud === null) throw unknown(xid, "gpud does not know it, so the detectors differ");
  return entry;
}

/**
 * What CUDA calls answer under an XID.
 *
 * @throws TesseraError E_XID_UNKNOWN for one that CUDA calls do not notice
 */
export function cudaCodesOf(xid: number): CudaCodes {
  const codes = codesOf(xid);
  if (codes !== null) return codes;
  const problem = byXid.has(xid) ? "CUDA calls do not notice it" : "it is in no catalogue";
  throw unknown(xid, problem);
}

function unknown(xid: number, problem: string): TesseraError {
  return new TesseraError("E_XID_UNKNOWN", { xid: String(xid), problem });
}

function entryOf(row: string): XidEntry {
  const [number = "", name = "", immediate = "", investigatory = "", gpud = "-"] = row.split("|");
  const xid = Number(number);
  const immediateAction = immediate === "" ? null : immediate;
  const action = nvSentinelActionFor(immediateAction);
  return {
    xid,
    name,
    severity: severities[xid] ?? severityOf(action, immediateAction),
    immediateAction,
    investigatoryAction: investigatory === "" ? null : investigatory,
    cuda: codesOf(xid),
    nvsentinel: { action, isFatal: action !== "NONE" },
    gpud: reactionIn(gpud),
    dcgm: dcgmResultOf(xid),
    realReboot: touchesMachine(action) || decidedByText.has(xid),
  };
}

function severityOf(
  action: NvSentinelAction,
  immediateAction: string | null,
): XidEntry["severity"] {
  if (touchesMachine(action) || immediateAction?.startsWith("WORKFLOW_NVLINK") === true) {
    return "critical";
  }
  return immediateAction === "IGNORE" ? "info" : "warning";
}
