import { expect } from "vitest";
import { isTesseraError } from "../../../../src/platform/errors/index.ts";

export const where = { checkpoint: "s3" };

export interface Refusal {
  readonly checkpoint: string;
  readonly file: string;
  readonly rule: string;
  readonly problem: string;
}

/** The rule that a document breaks; undefined when it breaks none. */
export function ruleOf(parse: () => unknown): string | undefined {
  return refusalBy(parse)?.rule;
}

/** What is wrong with a document, in words; empty when nothing is. */
export function problemOf(parse: () => unknown): string {
  return refusalBy(parse)?.problem ?? "";
}

/** The details of E_CHECKPOINT_CORRUPT; every other error is thrown on. */
export function refusalOf(error: unknown): Refusal {
  if (!isTesseraError(error) || error.code !== "E_CHECKPOINT_CORRUPT") throw error;
  return error.details as unknown as Refusal;
}

function refusalBy(parse: () => unknown): Refusal | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    const refusal = refusalOf(error);
    expect(refusal).toMatchObject({ checkpoint: "s3" });
    return refusal;
  }
}
