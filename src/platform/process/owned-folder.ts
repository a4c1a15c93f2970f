import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { errorCodeOf, writeError } from "../files/file-problem.ts";
import type { Clock, Timer } from "../time/clock.ts";
import { isRunning, ownIdentity } from "./process-identity.ts";

const ownerFile = "owner.json";
const heartbeatMs = 30_000;
/** An owner we cannot look at, on another machine or in another container, is gone after this. */
const silentMsMax = 15 * 60_000;
/** More than this in one place is not of our making. */
const sweptMax = 1000;
let made = 0;

/** A folder that belongs to one process, made where others work as well. */
export interface OwnedFolder {
  readonly path: string;
  /** How many folders of its kind belong to other processes that run. */
  others(): Promise<number>;
  /** Removes the folder with all that is in it. */
  remove(): Promise<void>;
}

export interface OwnedFolderOptions {
  /** Where the folder is made; must exist. */
  readonly parent: string;
  /** What its name begins with: the kind of folder. Letters, digits, dots and hyphens. */
  readonly kind: string;
  readonly clock: Clock;
}

/** What stands in a folder's name after its kind: a number, and who owns it. */
const tailPattern = /^(\d+)-([0-9a-f]{12})-(\d+)-(\d+)$/;

/**
 * Makes a folder for this process alone, after removing those of its kind whose owners are gone,
 * however they ended. Its name says who owns it, so that there is no moment at which it has no owner.
 *
 * @throws TesseraError E_FILE_WRITE when it cannot be made.
 */
export async function claimFolder(options: OwnedFolderOptions): Promise<OwnedFolder> {
  const { parent, kind, clock } = options;
  const identity = await ownIdentity();
  const { pid, startTicks } = identity;
  const name = `${kind}-${++made}-${homeTag(identity.home)}-${pid}-${startTicks ?? 0}`;
  const path = join(parent, name);
  const owner = join(path, ownerFile);
  const text = JSON.stringify({ ...identity, host: hostname(), startedAtMs: clock.nowMs() });
  try {
    await mkdir(path, { mode: 0o700 });
    await writeFile(owner, `${text}\n`);
  } catch (error) {
    throw writeError(path, error);
  }
  let timer: Timer;
  const beat = () => {
    timer = clock.setTimer(heartbeatMs, () => {
      // A beat that is missed is one of thirty; the work itself will meet what is wrong here.
      void writeFile(owner, `${text}\n`).catch(() => {});
      beat();
    });
  };
  beat();
  await sweepFolders(options, name);
  return {
    path,
    others: () => sweepFolders(options, name),
    remove: async () => {
      timer.cancel();
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Removes the folders whose owners are gone; the number of those whose owners run, but ours. */
async function sweepFolders(options: OwnedFolderOptions, own: string): Promise<number> {
  const { parent, kind } = options;
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const prefix = `${kind}-`;
  const names = entries
    .filter((entry) => entry.isDirectory() && entry.name !== own)
    .map(({ name }) => name)
    .filter((name) => name.startsWith(prefix) && tailPattern.test(name.slice(prefix.length)));
  let live = 0;
  for (const name of names.slice(0, sweptMax)) {
    const path = join(parent, name);
    if (await isOwned(path, { tail: name.slice(prefix.length), own: join(parent, own) })) live++;
    // What another user left is for that user's next start.
    else await rm(path, { recursive: true, force: true }).catch(() => {});
  }
  return live;
}

async function isOwned(
  path: string,
  { tail, own }: { readonly tail: string; readonly own: string },
): Promise<boolean> {
  const [, , home, pid, startTicks] = tailPattern.exec(tail) ?? [];
  const here = await ownIdentity();
  if (home === homeTag(here.home) && here.home !== null) {
    const ticks = startTicks === "0" ? null : (startTicks ?? null);
    return isRunning({ pid: Number(pid), startTicks: ticks, home: here.home });
  }
  const heard = await heardAtMs(path);
  const now = await heardAtMs(own);
  // Both times are the file system's own, so that clocks of machines need not agree.
  return heard === undefined || now === undefined || now - heard < silentMsMax;
}

/** When the owner last said that it is there; undefined when nobody can tell. */
async function heardAtMs(path: string): Promise<number | undefined> {
  for (const place of [join(path, ownerFile), path]) {
    try {
      return (await stat(place)).mtimeMs;
    } catch (error) {
      if (errorCodeOf(error) !== "ENOENT") return undefined;
    }
  }
  return undefined;
}

/** Boot, machine and view of processes, short enough for a name. */
function homeTag(home: string | null): string {
  return createHash("sha256")
    .update(home ?? "unknown")
    .digest("hex")
    .slice(0, 12);
}
