import { TesseraError } from "../../platform/errors/index.ts";
import type { XidLine } from "../objects/index.ts";
import { recoveryText } from "./format-line.ts";

/** Lines that real faults leave together. */
export interface XidSequence {
  readonly name: string;
  /** What happened to the GPU. */
  readonly title: string;
  /** In this order. */
  readonly lines: readonly XidLine[];
}

const afterMs = 200;

/** Every sequence there is. */
export const xidSequences: readonly XidSequence[] = [
  {
    name: "79-154",
    title: "the GPU falls off the bus, and the driver asks for a restart of the node",
    lines: [
      { xid: 79, text: "GPU has fallen off the bus." },
      { xid: 154, delayMs: afterMs, text: recoveryText("Node Reboot Required") },
    ],
  },
  {
    name: "48-63",
    title: "a double-bit ECC error, and the bad row is remapped",
    lines: [
      { xid: 48, text: "An uncorrectable double bit error (DBE) has been detected on GPU." },
      { xid: 63, delayMs: afterMs, text: "Row remapper: new row marked for remapping." },
    ],
  },
  {
    name: "48-64",
    title: "a double-bit ECC error, and the bad row cannot be remapped",
    lines: [
      { xid: 48, text: "An uncorrectable double bit error (DBE) has been detected on GPU." },
      { xid: 64, delayMs: afterMs, text: "Row remapper: row could not be remapped." },
    ],
  },
  {
    name: "95-45",
    title: "an uncontained memory error, and channels are cleaned up after it",
    lines: [
      { xid: 95, text: "Uncontained memory error." },
      { xid: 45, delayMs: afterMs, text: "Ch 00000008" },
    ],
  },
  {
    name: "119-154",
    title: "the GPU's own processor does not answer, and the driver asks for a reset",
    lines: [
      { xid: 119, text: "Timeout waiting for RPC from GSP!" },
      { xid: 154, delayMs: afterMs, text: recoveryText("GPU Reset Required") },
    ],
  },
  {
    name: "nvlink5-link-down",
    title: "a link of NVLink 5 goes down (149), fatal; both detectors act",
    lines: [
      { xid: 149, text: longForm("NETIR_LINK_EVT", "Fatal", 8, ["00200011", "00000000"]) },
      { xid: 154, delayMs: afterMs, text: recoveryText("GPU Reset Required") },
    ],
  },
  {
    name: "nvlink5-parity",
    title: "an uncorrectable error in a tracker of NVLink 5 (145), fatal",
    lines: [{ xid: 145, text: longForm("RLW_SRC_TRACK", "Fatal", 10, ["00000007", "00000010"]) }],
  },
  {
    name: "nvlink5-nonfatal",
    title: "an error of NVLink 5 (145) that was put right; nobody is to act",
    lines: [{ xid: 145, text: longForm("RLW_REMAP", "Nonfatal", 10, ["00000004", "00000100"]) }],
  },
];

/**
 * The lines of a sequence.
 *
 * @throws TesseraError E_HW_REFUSED when there is none of that name
 */
export function sequenceLines(name: string): readonly XidLine[] {
  const found = xidSequences.find((one) => one.name === name);
  if (found !== undefined) return found.lines;
  const names = xidSequences.map((one) => one.name).join(", ");
  const problem = `there is no sequence ${JSON.stringify(name)}; there are ${names}`;
  throw new TesseraError("E_HW_REFUSED", { what: "The sequence of XIDs", problem });
}

/** The text of XID 144 to 150 with their registers, as drivers from 575 on write it. */
function longForm(
  unit: string,
  severity: "Fatal" | "Nonfatal",
  link: number,
  registers: readonly [intrInfo: string, status: string],
): string {
  const rest = Array.from({ length: 5 }, () => "00000000");
  const all = [...registers, ...rest].map((hex) => `0x${hex}`).join(" ");
  return `${unit} ${severity} XC${severity === "Fatal" ? 0 : 1} i0 Link ${String(link).padStart(2, "0")} (${all})`;
}
