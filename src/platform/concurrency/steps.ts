import { settle } from "../time/settle.ts";

/** Work that can pause wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all of it now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does it with pauses in which others get a turn: long work must not hold up a server. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await settle();
  }
}
