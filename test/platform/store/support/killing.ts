import type { Readable } from "node:stream";
import { expect } from "vitest";
import type { RngStream } from "../../../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../../../src/platform/time/index.ts";
import { startProgram } from "./child-program.ts";

const clock = createRealClock();
// Each child counts from a number of its own, far from the others'.
const pairsPerChild = 1_000_000;

/** What a store must hold after its writers were killed. */
export interface Expected {
  /** Every pair whose transaction was acknowledged. */
  readonly acknowledged: Set<number>;
  /** How many children have been started. */
  children: number;
}

export function nothingExpected(): Expected {
  return { acknowledged: new Set(), children: 0 };
}

/**
 * Starts a process that writes pairs, does something terrible at a random moment (by default kills
 * the process) and notes what had been acknowledged by then.
 *
 * @returns the first number the process may have written.
 */
export async function writeUntilKilled(
  url: string,
  options: {
    readonly expected: Expected;
    readonly rng: RngStream;
    readonly disaster?: () => Promise<void>;
  },
): Promise<{ readonly first: number }> {
  const { expected, rng } = options;
  const first = expected.children++ * pairsPerChild;
  const { child, result } = await startProgram("write-pairs", [url, String(first)]);
  // One in eight dies while it opens the store, the others while they write.
  const early = options.disaster === undefined && rng.int(8) === 0;
  if (!early) await firstAcknowledgement(child.stdout);
  await sleep(clock, rng.int(early ? 150 : 55));
  await options.disaster?.();
  child.kill("SIGKILL");
  const { stdout, stderr } = await result;
  if (options.disaster === undefined) expect(stderr).toBe("");
  // A line cut off by the end was not read as a whole, so it acknowledges nothing.
  for (const line of stdout.split("\n").slice(0, -1)) {
    if (line !== "ready") expected.acknowledged.add(Number(line));
  }
  return { first };
}

async function firstAcknowledgement(stdout: Readable): Promise<void> {
  let text = "";
  await new Promise<void>((resolve) => {
    stdout.on("data", (chunk: string) => {
      text += chunk;
      if (/^\d+\n/m.test(text)) resolve();
    });
    // A process that ended by itself left an error to be found.
    stdout.once("close", resolve);
  });
}

/**
 * Throws unless every acknowledged pair from `first` on is there, and no pair has only one half.
 *
 * @param halves the pair of each half that is there, from `first` on.
 */
export function judge(halves: readonly number[], expected: Expected, first = 0): void {
  const counts = new Map<number, number>();
  for (const pair of halves) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const due = [...expected.acknowledged].filter((pair) => pair >= first);
  const lost = due.filter((pair) => !counts.has(pair));
  expect(lost, "acknowledged writes that were lost").toEqual([]);
  const halfDone = [...counts].filter(([, count]) => count !== 2);
  expect(halfDone, "transactions of which only a part was kept").toEqual([]);
}
