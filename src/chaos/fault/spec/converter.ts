import type { z } from "zod";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { Breakage } from "../../../runtime/dist/health/index.ts";
import { nearestIssue } from "../catalogue/nearest-issue.ts";
import { shown } from "../catalogue/shown.ts";

/** Turns what a user gave for a fault into what it breaks. @throws E_FAULT_INVALID */
export type Converter = (fault: string, given: unknown) => readonly Breakage[];

export interface ConverterOptions<T> {
  readonly schema: z.ZodType<T>;
  /** What to give instead, in a sentence. */
  readonly remedy: string;
  readonly convert: (value: T) => readonly Breakage[];
}

export function converter<T>({ schema, remedy, convert }: ConverterOptions<T>): Converter {
  return (fault, given) => {
    const parsed = schema.safeParse(given);
    if (parsed.success) return convert(parsed.data);
    const { place, message } = nearestIssue(parsed.error.issues);
    const problem = place.length === 0 ? message : `${place.join(".")}: ${message}`;
    throw invalidFault(fault, `${shown(given)} is none (${problem})`, remedy);
  };
}

export function invalidFault(fault: string, problem: string, remedy: string): TesseraError {
  return new TesseraError("E_FAULT_INVALID", { fault, problem, remedy });
}
