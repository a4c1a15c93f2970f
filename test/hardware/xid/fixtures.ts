import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  GpudReaction,
  NvSentinelAction,
  ParsedLine,
} from "../../../src/hardware/xid/index.ts";

const folder = join(import.meta.dirname, "../../fixtures/xid");

/** What the real parsers did with a plain line of every number. */
export interface Reactions {
  readonly xid: readonly {
    readonly xid: number;
    readonly nvsentinel: { readonly action: NvSentinelAction; readonly isFatal: boolean };
    readonly gpud: GpudReaction | null;
  }[];
  readonly sxid: readonly { readonly sxid: number; readonly gpud: GpudReaction }[];
}

/** A line, and what the real parsers did with it. */
export interface RecordedLine {
  readonly what?: string;
  readonly text: string;
  readonly driver?: string;
  readonly expected: ParsedLine;
}

export const reactions = read("reactions.json") as Reactions;
export const recordedLines = linesOf("lines.json");
export const nvlink5Lines = linesOf("nvlink5-lines.json");

function linesOf(name: string): readonly RecordedLine[] {
  return (read(name) as { readonly lines: readonly RecordedLine[] }).lines;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}
