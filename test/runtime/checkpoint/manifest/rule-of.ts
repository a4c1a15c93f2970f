import { expect } from "vitest";
import { isTesseraError } from "../../../../src/platform/errors/index.ts";

export const where = { checkpoint: "s3" };

/** The rule that a document breaks; undefined when it breaks none. */
export function ruleOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!isTesseraError(error) || error.code !== "E_CHECKPOINT_CORRUPT") throw error;
    expect(error.details).toMatchObject({ checkpoint: "s3" });
    return String(error.details["rule"]);
  }
}
