import { messageOf, TesseraError } from "../../platform/errors/index.ts";

/**
 * Does everything that has to be done in the end, also after one of it has failed.
 *
 * @throws the one thing that failed, or E_HW_FAILED naming all of them.
 */
export async function disposeAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 0) return;
  if (errors.length === 1) throw errors[0];
  const problem = errors.map(messageOf).join("; ");
  throw new TesseraError(
    "E_HW_FAILED",
    { what: "The end of the test", problem },
    { cause: new AggregateError(errors, problem) },
  );
}
