import { mkdtemp, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Finding, Probe, ProbeContext } from "../doctor/finding.ts";
import { TesseraError, toTesseraError } from "../errors/index.ts";
import type { Clock } from "../time/clock.ts";
import { type DiskSync, measureDiskSync } from "./disk-sync.ts";
import { inspectSchema } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { openEngine, openStore } from "./open-store.ts";
import { fileError } from "./sqlite/prepare-file.ts";
import type { StoreFacts } from "./store.ts";
import { parseStoreUrl, type StoreLocation } from "./url.ts";

const mib = 1024 * 1024;
const freeBytesMin = 256 * mib;
// A whole check reads the whole file; beyond this it would take longer than a doctor's visit.
const checkedBytesMax = 64 * mib;
const syncSamplesMax = 32;
const syncBudgetMs = 500;

/** Whether the history can be kept where the configuration says. Looks without changing anything. */
export function storeProbe(options: { readonly url: string }): Probe {
  return {
    id: "store",
    title: "Store",
    required: true,
    neededFor: "keeping history: results, tokens, the audit log",
    find: (context) => findStore(options.url, context),
  };
}

async function findStore(url: string, { clock }: ProbeContext): Promise<Finding> {
  try {
    const location = parseStoreUrl(url);
    return location.dialect === "sqlite"
      ? await findSqlite(location, url, clock)
      : await findPostgres(url, clock);
  } catch (thrown) {
    const { code, message, hint } = toTesseraError(thrown);
    // Someone else's lock says nothing about the store itself.
    const state = code === "E_STORE_BUSY" || code === "E_INTERNAL" ? "unknown" : "missing";
    return { state, reason: `${code}: ${message}`, hint, evidence: { code } };
  }
}

async function findPostgres(url: string, clock: Clock): Promise<Finding> {
  const { facts, pending } = await lookInto(url, { clock, checked: false });
  const reason = `${facts.engine} answers${schemaPhrase(pending)}.`;
  return finding({
    reason,
    limits: facts.limits,
    evidence: { ...facts, pendingMigrations: pending },
  });
}

async function findSqlite(
  location: StoreLocation & { readonly dialect: "sqlite" },
  url: string,
  clock: Clock,
): Promise<Finding> {
  const sizeBytes = await sizeOf(location.path);
  const folder = await nearestFolder(dirname(location.path), location.shown);
  const checked = sizeBytes !== undefined && sizeBytes <= checkedBytesMax;
  const { facts, pending } =
    sizeBytes === undefined
      ? { facts: await tryOut(folder, location.shown, clock), pending: migrations.length }
      : await lookInto(url, { clock, checked });
  const sync = await measureDiskSync(folder, {
    clock,
    samplesMax: syncSamplesMax,
    budgetMs: syncBudgetMs,
  });
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const limits = [
    ...facts.limits,
    ...(freeBytes < freeBytesMin
      ? [`Only ${Math.floor(freeBytes / mib)} MiB are free on its disk.`]
      : []),
  ];
  const what = sizeBytes === undefined ? "can be created" : `opens${schemaPhrase(pending)}`;
  return finding({
    reason: `${facts.engine} file ${location.path} ${what} (${facts.journalMode} journal, ${syncPhrase(sync)}).`,
    limits,
    evidence: {
      ...facts,
      path: location.path,
      sizeBytes: sizeBytes ?? 0,
      integrity: checked ? "ok" : "not checked",
      pendingMigrations: pending,
      freeBytes,
      diskSync: { ...sync, provenance: "measured" },
    },
  });
}

/** Opens an existing store as it is: no migration, no change of its journal. */
async function lookInto(
  url: string,
  options: { readonly clock: Clock; readonly checked: boolean },
): Promise<{ readonly facts: StoreFacts; readonly pending: number }> {
  const engine = await openEngine({ url, clock: options.clock });
  try {
    const pending = (await inspectSchema(engine, migrations)).length;
    const [damage] = options.checked ? await engine.findDamage() : [];
    if (damage !== undefined) {
      throw new TesseraError("E_STORE_CORRUPT", { store: engine.shown, problem: damage });
    }
    return { facts: await engine.describe(), pending };
  } finally {
    await engine.close();
  }
}

/** Creates a store in a folder of its own beside where the real one will be, and removes it. */
async function tryOut(folder: string, shown: string, clock: Clock): Promise<StoreFacts> {
  const scratch = await mkdtemp(join(folder, ".tessera-probe-")).catch((cause: unknown) => {
    throw fileError(cause, shown);
  });
  try {
    const store = await openStore({ url: `sqlite:${join(scratch, "probe.db")}`, clock });
    await store.close();
    return store.facts;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** The first folder on the way up that exists; the store would create those below it. */
async function nearestFolder(path: string, shown: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return path;
  if (found !== undefined) throw fileError(Object.assign(new Error(), { code: "ENOTDIR" }), shown);
  return await nearestFolder(dirname(path), shown);
}

function finding(options: {
  readonly reason: string;
  readonly limits: readonly string[];
  readonly evidence: Readonly<Record<string, unknown>>;
}): Finding {
  const { reason, limits, evidence } = options;
  if (limits.length === 0) return { state: "works", reason, evidence };
  const hint = "Use a local disk with room, or a PostgreSQL server with its durability on.";
  return { state: "limited", reason: [reason, ...limits].join(" "), hint, evidence };
}

function schemaPhrase(pending: number): string {
  if (pending === 0) return "";
  if (pending === migrations.length) return "; its tables will be created at the next start";
  return `; its schema will be brought up to date at the next start`;
}

function syncPhrase(sync: DiskSync): string {
  const rate = Math.round(sync.perSecond);
  return `fsync ${sync.medianMs.toFixed(2)} ms measured, ${rate}/s`;
}
