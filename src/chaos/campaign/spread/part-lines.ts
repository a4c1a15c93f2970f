import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import type { CampaignPart } from "../campaign-part.ts";

/** Container runtimes cut lines at 16 KiB; shorter ones pass whole. */
const lineChars = 8000;
const linesMax = 4000;
/** A part that unpacks to more is none of ours. */
const partBytesMax = 512 * 2 ** 20;

const lineSchema = z.object({
  /** Of the text of all lines together. */
  digest: z.string(),
  line: z.int().min(0).max(linesMax),
  of: z.int().min(1).max(linesMax),
  text: z.string().max(lineChars),
});

/** A part as lines of a log: packed, cut, and each line with what tells whether all are there. */
export function partToLines(part: CampaignPart): readonly string[] {
  const text = gzipSync(JSON.stringify(part)).toString("base64");
  const digest = digestOf(text);
  const of = Math.ceil(text.length / lineChars);
  if (of > linesMax) throw new Error(`a stretch of ${part.runs.length} runs is too long for a log`);
  return Array.from({ length: of }, (_, line) => {
    const piece = text.slice(line * lineChars, (line + 1) * lineChars);
    return JSON.stringify({ tesseraPart: { digest, line, of, text: piece } });
  });
}

/** The part that a log holds, among whatever else is in it; undefined when it is not all there. */
export function partFromLog(log: string): CampaignPart | undefined {
  const pieces: string[] = [];
  let digest: string | undefined;
  let of: number | undefined;
  for (const line of log.split("\n")) {
    if (!line.startsWith('{"tesseraPart":')) continue;
    const read = readLine(line);
    // A container that was started again prints anew: the last beginning counts.
    if (read?.line === 0) {
      pieces.length = 0;
      digest = read.digest;
      of = read.of;
    }
    if (read === undefined || read.digest !== digest || read.line !== pieces.length) continue;
    pieces.push(read.text);
  }
  const text = pieces.join("");
  if (pieces.length === 0 || pieces.length !== of || digestOf(text) !== digest) return undefined;
  const unpacked = gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: partBytesMax });
  return JSON.parse(unpacked.toString("utf8")) as CampaignPart;
}

function readLine(line: string): z.output<typeof lineSchema> | undefined {
  try {
    const { tesseraPart } = JSON.parse(line) as { readonly tesseraPart?: unknown };
    return lineSchema.safeParse(tesseraPart).data;
  } catch {
    return undefined;
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
