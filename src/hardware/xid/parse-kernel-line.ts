import type { GpudEventType, NvSentinelAction } from "./catalogue/index.ts";
import { type Detection, gpudReads, nvSentinelReads } from "./detectors/index.ts";

/** What a line of a kernel log says, and what each real detector does with that very line. */
export interface ParsedLine {
  /** Null when neither detector sees anything in it. */
  readonly kind: "xid" | "sxid" | "fallen-off-bus" | null;
  /** The XID or SXid that was read; 79 for a GPU that fell off the bus. */
  readonly xid?: number;
  /** The address as NVSentinel reports it, or gpud where only that sees the line; without `PCI:`. */
  readonly pci?: string;
  readonly nvsentinel: {
    readonly matched: boolean;
    readonly isFatal?: boolean;
    readonly action?: NvSentinelAction;
  };
  readonly gpud: { readonly matched: boolean; readonly eventType?: GpudEventType };
}

export interface ParseOptions {
  /** Version of the NVIDIA driver; what is no number counts as older than 575. @default "580" */
  readonly driver?: string;
}

/** One record, as each detector gets to read it. */
export interface RecordTexts {
  /** Through journald; undefined for one that it does not look at. */
  readonly nvsentinel?: string;
  /** From the kernel's own log; undefined for one that is not in it. */
  readonly gpud?: string;
}

/** The driver that is taken for granted. */
export const defaultDriver = "580";
const kinds = ["xid", "sxid", "fallen-off-bus"] as const;

/** What the detectors make of the text of a record that the kernel wrote. */
export function parseKernelLine(text: string, options: ParseOptions = {}): ParsedLine {
  return parseTexts({ nvsentinel: text, gpud: text }, options);
}

/** The same for a record that the two get to read differently. */
export function parseTexts(
  texts: RecordTexts,
  { driver = defaultDriver }: ParseOptions = {},
): ParsedLine {
  const nvsentinel =
    texts.nvsentinel === undefined ? undefined : nvSentinelReads(texts.nvsentinel, driver);
  const gpud = texts.gpud === undefined ? undefined : gpudReads(texts.gpud);
  const found = weightiest([nvsentinel, gpud]);
  return {
    kind: found?.kind ?? null,
    ...(found === undefined ? {} : { xid: found.number }),
    ...(found === undefined || found.pci === "" ? {} : { pci: found.pci }),
    nvsentinel:
      nvsentinel === undefined
        ? { matched: false }
        : { matched: true, isFatal: nvsentinel.isFatal, action: nvsentinel.action },
    gpud: gpud === undefined ? { matched: false } : { matched: true, eventType: gpud.eventType },
  };
}

function weightiest(found: readonly (Detection | undefined)[]): Detection | undefined {
  return kinds
    .map((kind) => found.find((one) => one?.kind === kind))
    .find((one) => one !== undefined);
}
