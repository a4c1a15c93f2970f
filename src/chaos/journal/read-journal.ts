import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import { readTextFile } from "../../platform/files/index.ts";
import { experimentOutcomes } from "../../platform/words.ts";
import type { Judgement } from "../judge/index.ts";
import { type JobEvent, type RunRecord, worldNames } from "../record/index.ts";
import { hashOf, sha256 } from "./canonical-json.ts";
import { type Journal, journalFormat } from "./journal.ts";
import { readPlan } from "./plan-schema.ts";

/** Of runs with many events; larger ones are no journals of ours. */
const sizeBytesMax = 256 * 2 ** 20;

const text = z.string();
const headSchema = z.looseObject({
  journal: text,
  tool: z.object({ tessera: text, node: text }),
  planHash: text,
});
const endSchema = z.object({ end: z.object({ lines: z.int(), sha256: text }) });
const eventSchema = z.object({ event: z.looseObject({ atUs: z.number(), kind: text }) });
const summarySchema = z.object({
  end: text,
  endUs: z.number(),
  stateDigest: text.nullable(),
  traceHash: text.nullable(),
});
const recordSchema = z.object({
  record: z.looseObject({
    ...summarySchema.shape,
    world: z.enum(worldNames),
    injections: z.array(z.looseObject({ id: text })),
    residualFaults: z.array(text),
  }),
  baseline: summarySchema.nullable(),
});
const markSchema = z.object({ entries: z.int(), hash: text });
const traceSchema = z.object({
  trace: z
    .object({ entries: z.int(), hash: text, marks: z.array(markSchema).max(4096) })
    .nullable(),
});
const judgementSchema = z.object({
  judgement: z.looseObject({
    outcome: z.enum(experimentOutcomes),
    reason: text,
    signature: text.nullable(),
  }),
});

/** Reads a journal. @throws E_FILE_READ, E_JOURNAL */
export async function readJournal(path: string, shown: string = path): Promise<Journal> {
  return parseJournal(await readTextFile(path, { sizeBytesMax }), shown);
}

/**
 * A journal from its text: whole, unchanged and of a known format, or refused.
 *
 * @throws E_JOURNAL
 */
export function parseJournal(content: string, file: string): Journal {
  const refuse = (problem: string): never => {
    throw new TesseraError("E_JOURNAL", { file, problem });
  };
  const lines = linesOf(content, refuse);
  const read = <T>(line: number, schema: z.ZodType<T>, what: string): T => {
    const parsed = schema.safeParse(lines[line]);
    return parsed.success ? parsed.data : refuse(`line ${line + 1} is not ${what}`);
  };
  const { journal, tool, planHash } = read(0, headSchema, "the head of a journal");
  if (journal !== journalFormat) refuse(`its format is ${journal}, not ${journalFormat}`);
  const { plan: given } = read(1, z.object({ plan: z.unknown() }), "a plan");
  const plan = readPlan(given);
  if (typeof plan === "string") return refuse(plan);
  if (hashOf(plan) !== planHash) refuse("its plan is not the one that its head names");
  const last = lines.length - 1;
  const events: JobEvent[] = [];
  for (let line = 2; line < last - 2; line++) {
    events.push(read(line, eventSchema, "an event").event as unknown as JobEvent);
  }
  const { record, baseline } = read(last - 2, recordSchema, "the record of a run");
  const { trace } = read(last - 1, traceSchema, "a trace");
  const { judgement } = read(last, judgementSchema, "a judgement");
  return {
    tool,
    planHash,
    plan,
    record: { ...record, plan, events } as unknown as RunRecord,
    baseline: baseline as Journal["baseline"],
    trace,
    judgement: judgement as unknown as Judgement,
  };
}

/** The lines but the last, which says whether they are all there and unchanged. */
function linesOf(content: string, refuse: (problem: string) => never): readonly unknown[] {
  if (!content.startsWith('{"journal":')) refuse("it does not begin like one");
  if (!content.endsWith("\n")) refuse("its last line is cut short");
  const from = content.lastIndexOf("\n", content.length - 2) + 1;
  const end = endSchema.safeParse(jsonOf(content.slice(from)));
  if (!end.success) refuse("its end is missing: it was not written to the end, or cut");
  const body = content.slice(0, from);
  const lines = body.split("\n").slice(0, -1);
  if (lines.length < 5 || lines.length !== end.data?.end.lines) {
    refuse(`it has ${lines.length} lines where it had ${end.data?.end.lines ?? "others"}`);
  }
  if (sha256(body) !== end.data?.end.sha256) refuse("it was changed after it was written");
  return lines.map(jsonOf);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
