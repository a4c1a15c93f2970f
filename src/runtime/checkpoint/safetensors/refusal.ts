import { TesseraError } from "../../../platform/errors/index.ts";
import type { SafetensorsRule } from "./rules.ts";

export interface RefusalFacts {
  readonly rule: SafetensorsRule;
  readonly problem: string;
  /** The tensor that it is about, where one is known. */
  readonly tensor?: string | undefined;
  /** The byte of the file where it shows. */
  readonly position?: number | undefined;
}

// A name comes from the file: it must not fill a screen, nor a log.
const shownCharacters = 120;

/** Refuses a file: E_SAFETENSORS with `file`, `problem`, `rule`, and `tensor` and `position` where known. */
export function refusal(
  file: string,
  { rule, problem, tensor, position }: RefusalFacts,
): TesseraError<"E_SAFETENSORS"> {
  const where = position === undefined ? "" : ` at byte ${position}`;
  return new TesseraError("E_SAFETENSORS", {
    file,
    problem: `${tensor === undefined ? "" : `tensor ${showName(tensor)}: `}${problem}${where}`,
    rule,
    ...(tensor === undefined ? {} : { tensor }),
    ...(position === undefined ? {} : { position }),
  });
}

/** A name from a file, quoted and of bounded length. */
export function showName(name: string): string {
  if (name.length <= shownCharacters) return JSON.stringify(name);
  return `${JSON.stringify(name.slice(0, shownCharacters))}... (${name.length} characters)`;
}
