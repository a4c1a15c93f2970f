import { disagreement, type ParsedLogLine } from "../../hardware/xid/index.ts";

const kindNames = {
  xid: "XID",
  sxid: "SXid",
  "fallen-off-bus": "GPU off the bus, as XID",
} as const;

/** A line that a detector reacts to; undefined for any other. */
export function showLine(parsed: ParsedLogLine): string | undefined {
  const { line, kind, xid, pci, nvsentinel, gpud } = parsed;
  if (kind === null) return undefined;
  const where = pci === undefined ? "" : ` at ${pci}`;
  const sentinel = nvsentinel.matched
    ? `${nvsentinel.isFatal === true ? "fatal" : "not fatal"}, ${nvsentinel.action}`
    : "nothing";
  const differ = disagreement(parsed);
  return [
    `line ${line}: ${kindNames[kind]} ${xid}${where}`,
    `NVSentinel: ${sentinel}`,
    `gpud: ${gpud.eventType ?? "nothing"}${differ === undefined ? "" : ` (${differ})`}`,
  ].join("; ");
}

/** Counts what was read. */
export class ParseSummary {
  #lines = 0;
  #found = 0;
  #differ = 0;

  take(parsed: ParsedLogLine): void {
    this.#lines += 1;
    if (parsed.kind !== null) this.#found += 1;
    if (disagreement(parsed) !== undefined) this.#differ += 1;
  }

  lines(): readonly string[] {
    const of = `${this.#found} of ${this.#lines} lines mean something to a detector`;
    return [`${of}; NVSentinel and gpud disagree on ${this.#differ}.`];
  }
}
