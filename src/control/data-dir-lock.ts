import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { TesseraError } from "../platform/errors/index.ts";
import { ensureDir, readTextFile, writeFileAtomic } from "../platform/files/index.ts";
import {
  isRunning,
  ownIdentity,
  processIdentitySchema,
} from "../platform/process/process-identity.ts";
import { type Clock, sleep } from "../platform/time/clock.ts";

const lockSchema = z.object({ ...processIdentitySchema.shape, startedAtMs: z.number() });
type Lock = z.output<typeof lockSchema>;

const namePattern = /^up-[\d-]+\.lock$/;
const attemptsMax = 5;
const sameMomentMs = 2000;
let locksMade = 0;

/** A data folder that belongs to this `tessera up` alone, until it is released. */
export interface DataDirLock {
  release(): Promise<void>;
}

/**
 * Takes a data folder, creating it (mode 0700) when there is none.
 *
 * Each contender puts down a file of its own before it looks for others, so that of two who start
 * at once at least one sees the other; it then steps back. Files are never taken over: those of
 * processes that no longer run, however they ended, are swept away.
 *
 * @throws E_DATA_DIR_IN_USE when another `tessera up` has it; E_FILE_WRITE when it cannot be made.
 */
export async function lockDataDir(dataDir: string, clock: Clock): Promise<DataDirLock> {
  await ensureDir(dataDir, { mode: 0o700 });
  const identity = await ownIdentity();
  const own: Lock = { ...identity, startedAtMs: clock.nowMs() };
  locksMade++;
  const turn = (identity.pid * 7 + locksMade) % 16;
  const name = `up-${identity.pid}-${identity.startTicks ?? 0}-${locksMade}.lock`;
  const path = join(dataDir, name);
  for (let attempt = 1; ; attempt++) {
    await writeFileAtomic(path, `${JSON.stringify(own)}\n`, { mode: 0o600 });
    const other = await otherHolder(dataDir, name);
    if (other === undefined) return { release: () => rm(path, { force: true }) };
    await rm(path, { force: true });
    const together = Math.abs(other.startedAtMs - own.startedAtMs) < sameMomentMs;
    if (!together || attempt === attemptsMax) throw inUse(dataDir, other);
    // Both may have stepped back: whoever comes first now finds the folder free.
    await sleep(clock, 20 + turn * 25);
  }
}

/** Another process that holds the folder; sweeps away what dead ones have left. */
async function otherHolder(dataDir: string, ownName: string): Promise<Lock | undefined> {
  const names = (await readdir(dataDir)).filter((name) => namePattern.test(name));
  for (const name of names) {
    if (name === ownName) continue;
    const path = join(dataDir, name);
    const lock = await readLock(path);
    if (lock !== undefined && (await isRunning(lock))) return lock;
    await rm(path, { force: true });
  }
  return undefined;
}

/** Lock files appear whole or not at all, so one that cannot be read is not of our making. */
async function readLock(path: string): Promise<Lock | undefined> {
  try {
    return lockSchema.parse(JSON.parse(await readTextFile(path, { sizeBytesMax: 4096 })));
  } catch {
    return undefined;
  }
}

function inUse(dataDir: string, holder: Lock): TesseraError {
  const startedAt = new Date(holder.startedAtMs).toISOString();
  return new TesseraError("E_DATA_DIR_IN_USE", { dataDir, pid: holder.pid, startedAt });
}
