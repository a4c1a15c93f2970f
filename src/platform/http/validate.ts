import type { z } from "zod";
import { describeIssue } from "../config/describe-issue.ts";
import { TesseraError } from "../errors/index.ts";
import { pathOfNul } from "./nul.ts";

const issuesShownMax = 5;

/**
 * A part of a request, checked and converted. Throws E_REQUEST_INVALID that names each wrong value
 * by its path: `name must be text, got the number 3`. The character NUL is wrong in every text.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: { readonly part: "body" | "query" | "path"; readonly route: string },
): z.output<Schema> {
  const nulAt = pathOfNul(value);
  if (nulAt !== undefined) {
    const problem = `${subjectOf(nulAt)} holds the character U+0000, which no text here may hold.`;
    throw new TesseraError("E_REQUEST_INVALID", { ...where, problem });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const sentences = result.error.issues.slice(0, issuesShownMax).map((issue) => {
    return `${subjectOf(issue.path)} ${describeIssue(issue, { value: valueAt(value, issue.path), showValue: true })}`;
  });
  const more = result.error.issues.length - sentences.length;
  const problem = `${sentences.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`;
  throw new TesseraError("E_REQUEST_INVALID", { ...where, problem });
}

function subjectOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "it" : `\`${pathText(path)}\``;
}

/** `tokens[2].name`, as a person would write it. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}
