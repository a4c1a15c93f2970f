import { isTesseraError } from "../../../../src/platform/errors/index.ts";
import {
  parseHeader,
  type SafetensorsHeader,
  type SafetensorsRule,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";

export interface Refused {
  readonly file: string;
  readonly rule: SafetensorsRule;
  readonly problem: string;
  readonly tensor?: string;
  readonly position?: number;
}

/** The details of the refusal when this throws E_SAFETENSORS; every other error is thrown on. */
export function refusedBy(error: unknown): Refused {
  if (!isTesseraError(error) || error.code !== "E_SAFETENSORS") throw error;
  return error.details as unknown as Refused;
}

/** Our verdict on a file. */
export function verdictOf(file: Uint8Array): SafetensorsHeader | Refused {
  try {
    return parseHeader(file, { file: "x.safetensors", fileBytes: file.length });
  } catch (error) {
    return refusedBy(error);
  }
}

export function headerOf(file: Uint8Array): SafetensorsHeader {
  const verdict = verdictOf(file);
  if ("rule" in verdict) throw new Error(verdict.problem);
  return verdict;
}

export function refusalOf(file: Uint8Array): Refused | undefined {
  const verdict = verdictOf(file);
  return "rule" in verdict ? verdict : undefined;
}
