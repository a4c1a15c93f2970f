import { expect } from "vitest";
import {
  type ErrorCode,
  isTesseraError,
  type TesseraError,
} from "../../../../src/platform/errors/index.ts";

/** The TesseraError of this code that a function throws. */
export function thrownBy(code: ErrorCode, run: () => unknown): TesseraError {
  try {
    run();
  } catch (thrown) {
    if (!isTesseraError(thrown)) throw thrown;
    expect(thrown.code).toBe(code);
    return thrown;
  }
  throw new Error(`nothing was thrown, ${code} was expected`);
}
