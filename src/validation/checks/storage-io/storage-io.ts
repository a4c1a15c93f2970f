import { stat, statfs } from "node:fs/promises";
import { loadavg } from "node:os";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import { claimFolder, type OwnedFolder } from "../../../platform/process/index.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { fleetChecks } from "../../fleet-log/index.ts";
import { type Check, type CheckContext, type CheckOutput, defineCheck } from "../check.ts";
import { ratiosTo, storageFigures, wantedFigures } from "./figures.ts";
import { type Fio, findFio } from "./fio.ts";
import { measureStorage } from "./measure.ts";
import { canBypassCache, describeMount, findMount } from "./mount.ts";
import { type StorageOptions, storageOptionsSchema } from "./options.ts";
import {
  orderedPatterns,
  peakBytes,
  resolveScale,
  type StorageAccess,
  type StorageScale,
} from "./plan.ts";

type Context = CheckContext<StorageOptions>;

const name = "storage-io";
const folderKind = ".tessera-storage-io";
/** In the order in which they are wanted: the seed's, and what keeps as many requests in flight. */
const enginesWanted = ["libaio", "io_uring", "posixaio", "psync"];
/** Left free, so that a full file system is not our doing. */
const spareShare = 0.05;

/**
 * The file system that jobs on this node share, by fio: throughput and latency of large and small
 * requests, of many files, of checkpoints, and whether what is read is what was written.
 */
export function createStorageIo(): Check {
  const { minutes, sensitivity, falseAlarm } = factsOfFleet();
  return defineCheck({
    name,
    title: "Throughput, latency and integrity of a file system, by fio",
    minutes,
    sensitivity,
    falseAlarm,
    figures: storageFigures,
    options: storageOptionsSchema,
    onlyWhenNamed: true,
    requirements: ({ hasProgram }) =>
      hasProgram?.("fio") === false
        ? { met: false, reason: "it needs fio, and there is none" }
        : { met: true },
    run: testStorage,
  });
}

/** What plans of simulated fleets assume about it holds for real ones too. */
function factsOfFleet() {
  const facts = fleetChecks.find((check) => check.name === name);
  if (facts === undefined) throw new Error("simulated fleets have storage-io");
  return facts;
}

async function testStorage(context: Context): Promise<CheckOutput> {
  const { clock, signal, env, log } = context;
  const directory = await directoryOf(context);
  const fio = await findFio({ clock, signal, env });
  if (fio === undefined) throw failed("there is no fio that runs");
  const folder = await claimFolder({ parent: directory, kind: folderKind, clock });
  try {
    return await testIn(context, { directory, fio, folder });
  } finally {
    await folder.remove().catch((error: unknown) => {
      log(`not all files could be removed, the next run will: ${messageOf(error)}`);
    });
  }
}

async function testIn(
  context: Context,
  o: { readonly directory: string; readonly fio: Fio; readonly folder: OwnedFolder },
): Promise<CheckOutput> {
  const { options, profile, log } = context;
  const { directory, fio, folder } = o;
  const patterns = orderedPatterns(options);
  const scale = resolveScale(profile, options);
  await ensureRoom(folder.path, peakBytes(patterns, scale));
  const access = await accessOf(options, o);
  const mount = await findMount(folder.path);
  const othersAtStart = await folder.others();
  log(`fio ${fio.version} on ${directory} (${describeMount(mount)}), ${access.engine}`);
  if (!access.direct) log("not past the page cache: figures may be those of memory");
  const startedMs = context.clock.monotonicMs();
  const measured = await measureStorage({
    context,
    fio,
    folder: folder.path,
    patterns,
    scale,
    access,
  }).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw error instanceof TesseraError ? error : failed(messageOf(error), error);
  });
  const { figures } = measured;
  for (const wanted of wantedFigures(patterns)) {
    if (!figures[wanted]?.samples.length) throw failed(`${wanted} was not measured`);
  }
  const { control } = options;
  return {
    figures: { ...figures, ...(control === undefined ? {} : ratiosTo(control, figures)) },
    hardFacts: [],
    facts: {
      fio: fio.version,
      directory,
      mount: mount === undefined ? null : { ...mount },
      engine: access.engine,
      direct: access.direct,
      ...scale,
      patterns: measured.totals,
      mismatches: measured.mismatches,
      // Others that load the same file system, or this machine, explain low figures.
      othersAtStart,
      othersAtEnd: await folder.others(),
      loadAverage: loadavg()[0] ?? 0,
      durationMs: Math.round(context.clock.monotonicMs() - startedMs),
      ...(control?.node === undefined ? {} : { controlNode: control.node }),
      ...rehearsalOf(options),
    },
    cohort: cohortOf({ fio, access, scale, mount: describeMount(mount) }),
  };
}

/** The mount under test; a folder of the container itself would only test the container. */
async function directoryOf({ options, env }: Context): Promise<string> {
  const directory = options.directory ?? env["TESSERA_RESULT_DIR"];
  if (directory === undefined || directory === "") {
    throw badOption("directory: name a folder on the mount to test");
  }
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() === true) return directory;
  throw badOption(`directory: ${directory} is not a folder`);
}

async function ensureRoom(path: string, neededBytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(path);
  const roomBytes = Math.max(0, bavail * bsize - spareShare * blocks * bsize);
  if (roomBytes >= neededBytes) return;
  const room = `there is room for ${formatBytes(Math.floor(roomBytes))}`;
  throw failed(`${room} and it needs ${formatBytes(neededBytes)}: set sizeBytes lower`);
}

async function accessOf(
  { engine, direct, rateBytesPerSecond }: StorageOptions,
  { fio, folder }: { readonly fio: Fio; readonly folder: OwnedFolder },
): Promise<StorageAccess> {
  const wanted = engine === undefined ? enginesWanted : [engine];
  const found = wanted.find((one) => fio.engines.includes(one));
  if (found === undefined) throw failed(`fio ${fio.version} has no engine ${wanted.join(" or ")}`);
  return {
    engine: found,
    direct: direct ?? (await canBypassCache(folder.path)),
    rateBytesPerSecond,
  };
}

/** Another way to ask, other sizes or another mount: another measurement. */
function cohortOf(o: {
  readonly fio: Fio;
  readonly access: StorageAccess;
  readonly scale: StorageScale;
  readonly mount: string;
}): string {
  const { sizeBytes, jobs } = o.scale;
  const way = `${o.access.engine}${o.access.direct ? " direct" : " cached"}`;
  const files = `${formatBytes(sizeBytes)} files, ${jobs} jobs`;
  const version = o.fio.version.split(".", 2).join(".");
  return `fio ${version} ${way}, ${files}, ${o.mount}`.slice(0, 500);
}

/** Whoever reads the facts of a rehearsal must see that it was one. */
function rehearsalOf({ rateBytesPerSecond, corrupt }: StorageOptions) {
  if (rateBytesPerSecond === undefined && corrupt === undefined) return {};
  return {
    rehearsal: {
      ...(rateBytesPerSecond === undefined ? {} : { rateBytesPerSecond }),
      ...(corrupt === undefined ? {} : { corrupt }),
    },
  };
}

function failed(problem: string, cause?: unknown): TesseraError {
  return new TesseraError("E_CHECK_FAILED", { check: name, problem }, { cause });
}

function badOption(problem: string): TesseraError {
  return new TesseraError("E_CHECK_OPTIONS", { check: name, problem });
}
