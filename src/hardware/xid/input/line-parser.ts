import {
  type ParsedLine,
  type ParseOptions,
  parseTexts,
  type RecordTexts,
} from "../parse-kernel-line.ts";
import { type LogLine, readLine } from "./read-line.ts";

/** A line of a file and what the detectors make of it. */
export interface ParsedLogLine extends ParsedLine {
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface LineParserOptions extends ParseOptions {
  /** Gets every line once, in order. */
  readonly onLine: (parsed: ParsedLogLine) => void;
}

/** Longer messages are taken apart; the kernel's have at most a handful. */
const continuationsMax = 64;
const nothing: ParsedLine = {
  kind: null,
  nvsentinel: { matched: false },
  gpud: { matched: false },
};

/**
 * Parses a file of kernel lines: plain text, records of /dev/kmsg, the output of dmesg and of
 * journalctl. A message of several lines is one record: its first line tells of it, the others of
 * nothing.
 */
export class LineParser {
  readonly #options: LineParserOptions;
  #number = 0;
  #lines: string[] = [];
  #record: LogLine | undefined;

  constructor(options: LineParserOptions) {
    this.#options = options;
  }

  push(line: string): void {
    if (this.#goesOn(line)) {
      this.#lines.push(line);
      return;
    }
    this.#finish();
    this.#lines = [line];
    this.#record = readLine(line);
    if (this.#record.indent === undefined && this.#record.isKmsg !== true) this.#finish();
  }

  /** Nothing follows. */
  end(): void {
    this.#finish();
  }

  #goesOn(line: string): boolean {
    if (this.#record === undefined || this.#lines.length > continuationsMax) return false;
    const { indent, isKmsg } = this.#record;
    if (isKmsg === true) return /^ [A-Z_]+=/.test(line);
    return indent !== undefined && line.startsWith(" ".repeat(indent)) && line.length > indent;
  }

  #finish(): void {
    if (this.#record === undefined) return;
    const { texts, indent } = this.#record;
    const rest = indent === undefined ? [] : this.#lines.slice(1).map((line) => line.slice(indent));
    const parsed = parseTexts(joined(texts, rest), this.#options);
    for (const [at, text] of this.#lines.entries()) {
      this.#number += 1;
      this.#options.onLine({ line: this.#number, text, ...(at === 0 ? parsed : nothing) });
    }
    this.#lines = [];
    this.#record = undefined;
  }
}

/** The device writes a line end as `\x0a`, and gpud leaves it so. */
function joined({ nvsentinel, gpud }: RecordTexts, rest: readonly string[]): RecordTexts {
  return {
    ...(nvsentinel === undefined ? {} : { nvsentinel: [nvsentinel, ...rest].join("\n") }),
    ...(gpud === undefined ? {} : { gpud: [gpud, ...rest].join("\\x0a") }),
  };
}
