import { z } from "zod";
import { FieldProblem } from "../shape-error.ts";

const errorEntry = z.union([
  z.string(),
  z.looseObject({ error: z.string().optional(), description: z.string().optional() }),
]);
const envelope = z.looseObject({ errors: z.array(errorEntry).nullish() });

/** What a tool said was wrong instead of answering, though it ended well. */
export class AnswerProblem extends Error {}

/**
 * The list of that name in what a tool printed as JSON. A list that is not there is an error, and so
 * is one beside errors, which may not be the whole of it: 22.05 prints an empty one when it cannot
 * reach the controller.
 *
 * @throws FieldProblem, AnswerProblem
 */
export function readList<T>(printed: string, name: string, entry: z.ZodType<T>): readonly T[] {
  const answer = parseJson(printed);
  const parsedEnvelope = envelope.safeParse(answer);
  if (!parsedEnvelope.success) throw new FieldProblem("the answer", "it is no object");
  const list = parsedEnvelope.data[name];
  const problems = (parsedEnvelope.data.errors ?? []).map(sentence);
  if (problems.length > 0) throw new AnswerProblem(problems.join("; "));
  if (list === undefined) throw new FieldProblem(name, "it is missing");
  const parsed = z.array(entry).safeParse(list);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new FieldProblem(pathOf(name, issue?.path ?? []), issue?.message ?? "it is not understood");
}

function parseJson(printed: string): unknown {
  // Plugins that complain write before the answer; it begins where its brace does.
  const start = printed.indexOf("{");
  try {
    return JSON.parse(start > 0 ? printed.slice(start) : printed);
  } catch {
    throw new FieldProblem("the answer", printed.trim() === "" ? "it is empty" : "it is no JSON");
  }
}

function sentence(entry: z.infer<typeof errorEntry>): string {
  if (typeof entry === "string") return entry;
  const said = [entry.error, entry.description].filter((text) => (text ?? "") !== "");
  return said.join(": ") || "an error without words";
}

function pathOf(name: string, path: readonly PropertyKey[]): string {
  const tail = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return `${name}${tail.join("")}`;
}
