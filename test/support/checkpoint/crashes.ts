import type { MemoryFiles } from "./memory-files.ts";

/** A disk that was found after the power was lost. */
export interface Crash {
  /** After which change the power was lost, in words. */
  readonly after: string;
  /** Whether the work had ended well before anybody heard of the loss. */
  readonly resolved: boolean;
  readonly files: MemoryFiles;
}

export interface CrashOptions {
  /** Disks that are looked for after each change, at most. */
  readonly limit: number;
}

/**
 * Loses the power after every change that a work makes, and gives each disk that may be found then
 * once: everything written, only what was synced, and what lies between.
 */
export async function* crashesOf(
  disk: MemoryFiles,
  work: (files: MemoryFiles) => Promise<unknown>,
  { limit }: CrashOptions,
): AsyncGenerator<Crash> {
  const whole = disk.afterKill();
  await work(whole);
  const seen = new Set<string>();
  for (let cut = 1; cut <= whole.operations; cut++) {
    const files = disk.afterKill();
    files.crashAfter = cut;
    const resolved = await work(files).then(
      () => true,
      () => false,
    );
    for (const found of files.states({ limit, seed: cut })) {
      const key = `${resolved} ${found.fingerprint()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield { after: `change ${cut}, ${whole.log[cut - 1] ?? ""}`, resolved, files: found };
    }
  }
}
