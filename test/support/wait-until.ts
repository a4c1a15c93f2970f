import { createRealClock, sleep } from "../../src/platform/time/index.ts";

const clock = createRealClock();

/** Waits until a condition holds; fails after a generous time, saying what never came true. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  options: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const untilMs = clock.monotonicMs() + (options.timeoutMs ?? 60_000);
  while (!(await condition())) {
    if (clock.monotonicMs() > untilMs) throw new Error(`it never came true that ${what}`);
    await sleep(clock, 10);
  }
}
