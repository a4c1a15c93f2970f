import { FieldProblem, readField } from "../shape-error.ts";

/** Fields whose text may hold spaces and `=`: they reach to the end of their line. */
const toLineEnd = new Set([
  "JobName",
  "Reason",
  "Comment",
  "AdminComment",
  "SystemComment",
  "Extra",
  "OS",
  "Command",
  "WorkDir",
  "StdErr",
  "StdIn",
  "StdOut",
]);

/** In these the field stands amid others and is one word: `JobState=FAILED Reason=NonZeroExitCode Dependency=`. */
const oneWordReason = /^JobState=/;

/** One node, job, partition or reservation as `scontrol show` prints it: name and text of each field. */
export class TextRecord {
  readonly #fields: ReadonlyMap<string, string>;
  readonly #path: string;

  constructor(fields: ReadonlyMap<string, string>, path: string) {
    this.#fields = fields;
    this.#path = path;
  }

  /** The text of a field; empty when it is not there or is Slurm's word for none. */
  text(name: string): string {
    const value = this.#fields.get(name) ?? "";
    return value === "(null)" || value === "N/A" ? "" : value;
  }

  /** Reads a field that must be there. */
  need<T>(name: string, read: (text: string) => T): T {
    const value = this.#fields.get(name);
    const field = `${this.#path}.${name}`;
    if (value === undefined) throw new FieldProblem(field, "it is missing");
    return readField(field, () => read(value));
  }

  /** Reads a field when it is there. */
  may<T>(name: string, read: (text: string) => T): T | undefined {
    return this.#fields.has(name) ? this.need(name, read) : undefined;
  }
}

/**
 * The records of `scontrol show <what>`. It must be the form of many lines: in that of one line a
 * reason that says `State=IDLE` could not be told from the state.
 *
 * @param first the name of the field that begins a record: `NodeName`
 * @throws FieldProblem when there is neither a record nor Slurm's sentence that there are none
 */
export function readRecords(printed: string, first: string, what: string): TextRecord[] {
  const blocks: string[][] = [];
  for (const line of printed.split("\n")) {
    if (line.startsWith(`${first}=`)) blocks.push([line]);
    else if (line.trim() !== "") blocks.at(-1)?.push(line.trimStart());
  }
  if (blocks.length === 0 && !/^\s*No \w+ in the system/im.test(printed)) {
    throw new FieldProblem(what, "the answer has none, and does not say that there are none");
  }
  return blocks.map((lines, at) => new TextRecord(fieldsOf(lines), `${what}[${at}]`));
}

function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    for (const [name, value] of fieldsOfLine(line)) {
      // What comes first is Slurm's own; later lines may be those of a comment with line ends.
      if (!fields.has(name)) fields.set(name, value);
    }
  }
  return fields;
}

function fieldsOfLine(line: string): [string, string][] {
  const fields: [string, string][] = [];
  let rest = line;
  for (;;) {
    const [, name] = /^([A-Za-z][\w:/]*)=/.exec(rest) ?? [];
    if (name === undefined) return fields;
    const after = rest.slice(name.length + 1);
    if (toLineEnd.has(name) && !(name === "Reason" && oneWordReason.test(line))) {
      return [...fields, [name, after.trimEnd()]];
    }
    const end = after.search(/\s/);
    if (end === -1) return [...fields, [name, after]];
    fields.push([name, after.slice(0, end)]);
    rest = after.slice(end).trimStart();
  }
}

/** Words with commas between them; none for Slurm's words for nothing. */
export function commaWords(text: string): string[] {
  return text.split(",").filter((word) => word !== "" && word !== "(null)" && word !== "N/A");
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${JSON.stringify(text)} is no whole number`);
  return Number(text);
}
