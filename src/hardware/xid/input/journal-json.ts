import type { RecordTexts } from "../parse-kernel-line.ts";

/** A line of `journalctl -o json`; undefined for anything else. */
export function readJournalJson(line: string): RecordTexts | undefined {
  if (!line.startsWith("{")) return undefined;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof entry !== "object" || entry === null || !("MESSAGE" in entry)) return undefined;
  const fields = entry as Readonly<Record<string, unknown>>;
  const transport = textOf(fields["_TRANSPORT"]);
  const message = textOf(fields["MESSAGE"]);
  // Both look at the kernel's log alone: one through the journal, one at the device.
  if (message === undefined || (transport !== undefined && transport !== "kernel")) return {};
  return { nvsentinel: message, gpud: `${prefixOf(fields)}${message}`.replaceAll("\n", "\\x0a") };
}

/** What journald took away from a record that a program wrote. */
function prefixOf(fields: Readonly<Record<string, unknown>>): string {
  const identifier = textOf(fields["SYSLOG_IDENTIFIER"]) ?? "kernel";
  const facility = textOf(fields["SYSLOG_FACILITY"]);
  if (facility === "0" || (facility === undefined && identifier === "kernel")) return "";
  const pid = textOf(fields["SYSLOG_PID"]);
  return `${identifier}${pid === undefined ? "" : `[${pid}]`}: `;
}

/** Text, or bytes where it is not UTF-8; of a field that occurs several times the first. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  if (value.length > 0 && value.every((byte) => typeof byte === "number")) {
    return Buffer.from(value).toString("utf8");
  }
  return textOf(value[0]);
}
