import { isTesseraError } from "../../../platform/errors/index.ts";
import { refused } from "../reshard/index.ts";
import type { FileVerdict } from "./verdict.ts";

export function good(path: string): FileVerdict {
  return { path, ok: true };
}

export function bad(
  path: string,
  about: { readonly rule: string; readonly problem: string; readonly tensor?: string },
): FileVerdict {
  const { rule, problem, tensor } = about;
  const error = `${problem} (rule ${rule})`;
  return { path, ok: false, error, rule, ...(tensor === undefined ? {} : { tensor }) };
}

/**
 * A refusal, as a verdict on the file it is about.
 *
 * @throws what is no refusal of a file
 */
export function badBy(path: string, thrown: unknown): FileVerdict {
  const error = refused(thrown, { checkpoint: path, file: path });
  if (!isTesseraError(error) || !("rule" in error.details)) throw error;
  const { problem, rule, tensor } = error.details;
  const about = { rule: String(rule), problem: String(problem) };
  return bad(path, typeof tensor === "string" ? { ...about, tensor } : about);
}
