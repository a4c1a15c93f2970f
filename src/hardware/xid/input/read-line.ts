import { parseKmsgRecord } from "../../kernel-log/kmsg-record.ts";
import type { RecordTexts } from "../parse-kernel-line.ts";
import { readJournalJson } from "./journal-json.ts";
import { withoutIdentifier } from "./journald.ts";

/** A line of a file, in whatever form it was kept. */
export interface LogLine {
  readonly texts: RecordTexts;
  /** What goes on with a line that is indented so far; undefined where no line can. */
  readonly indent?: number;
  /** Lines of ` KEY=value` may follow. */
  readonly isKmsg?: boolean;
}

const clock = "\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d+)?";
const day = "\\d{4}-\\d{2}-\\d{2}";
const zone = "(?:Z|[+-]\\d{2}:?\\d{2})";
/** `journalctl`, also with -o short-precise, short-iso, short-full and short-unix. */
const journalHeader = new RegExp(
  `^(?:[A-Z][a-z]{2} [ \\d]\\d ${clock}|${day}T${clock}${zone}|[A-Z][a-z]{2} ${day} ${clock} \\S+|\\d+\\.\\d{6}) [^\\s:]+ ([^\\s:[\\]]+(?:\\[\\d+\\])?): `,
);
/** `dmesg`, also with -T and --time-format iso. */
const dmesgHeader = new RegExp(
  `^(?:\\[ *\\d+\\.\\d+\\]|\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${clock} \\d{4}\\]|${day}T${clock}${zone}) `,
);

/** What each detector would have got to read. */
export function readLine(line: string): LogLine {
  const json = readJournalJson(line);
  if (json !== undefined) return { texts: json };
  return readKmsg(line) ?? readJournal(line) ?? readDmesg(line) ?? { texts: bothRead(line) };
}

/** gpud reads what the device hands out; NVSentinel what journald makes of it. */
function readKmsg(line: string): LogLine | undefined {
  const record = parseKmsgRecord(line);
  if (record === undefined) return undefined;
  const { priority, text } = record;
  const byKernel = priority >> 3 === 0;
  const raw = line.slice(line.indexOf(";") + 1);
  return {
    texts: { nvsentinel: byKernel ? text : withoutIdentifier(text), gpud: raw },
    isKmsg: true,
  };
}

/** Another name than `kernel` was cut from the text of a program that wrote into the kernel log. */
function readJournal(line: string): LogLine | undefined {
  const header = journalHeader.exec(line);
  if (header === null) return undefined;
  const [whole, identifier = ""] = header;
  const text = line.slice(whole.length);
  return {
    texts: {
      nvsentinel: text,
      gpud: identifier === "kernel" ? text : `${identifier}: ${text}`,
    },
    indent: whole.length,
  };
}

function readDmesg(line: string): LogLine | undefined {
  const header = dmesgHeader.exec(line)?.[0];
  if (header === undefined) return undefined;
  return { texts: bothRead(line.slice(header.length)), indent: header.length };
}

function bothRead(text: string): RecordTexts {
  return { nvsentinel: text, gpud: text };
}
