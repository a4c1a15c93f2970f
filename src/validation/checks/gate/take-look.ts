import { existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm, statfs } from "node:fs/promises";
import { freemem } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { GpuTelemetry } from "../../../runtime/cuda/telemetry/index.ts";
import type { LookLine } from "./sightings.ts";

const kernelFolder = "/proc/driver/nvidia/gpus";
const kernelVersion = "/proc/driver/nvidia/version";
const capabilities = "/proc/driver/nvidia/capabilities";
const busFolder = "/sys/bus/pci/devices";
const nvidiaVendor = "0x10de";
/** Display and 3D controllers; their makers' bridges and sound devices are none. */
const gpuClass = /^0x03/;
const probeBytes = 4096;
const eventsMax = 1000;
const textMax = 2000;

export interface LookOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: readonly string[];
  /** Whether GPUs are looked for. */
  readonly gpus: boolean;
  /** Whether the kernel's log is read for XIDs. */
  readonly xids: boolean;
  readonly say: (line: LookLine) => void;
}

/**
 * Looks at this machine and says what it sees as soon as it does. Whatever is asked may never answer:
 * the caller is a process that can be left behind.
 */
export async function takeLook(options: LookOptions): Promise<void> {
  const { say, folders } = options;
  say({ asks: "memory" });
  say({ saw: "memory", availableBytes: await availableBytes() });
  for (const path of folders) await lookAtFolder(path, say);
  if (options.gpus) await lookAtGpus(options);
}

/** What programs may still have without swapping; the rest is caches that give way. */
async function availableBytes(): Promise<number> {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kib = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1];
  return kib === undefined ? freemem() : Number(kib) * 1024;
}

async function lookAtFolder(path: string, say: LookOptions["say"]): Promise<void> {
  say({ asks: `folder ${path}` });
  try {
    const { bavail, bsize } = await statfs(path);
    await writeAndRemove(path);
    say({ saw: "folder", path, freeBytes: bavail * bsize });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    say({ saw: "folder", path, problem: { code, text: messageOf(error) } });
  }
}

async function writeAndRemove(folder: string): Promise<void> {
  // A folder that nobody else has: other nodes may look at the same file system at this moment, and
  // a file or a link that somebody put there is never followed.
  const own = await mkdtemp(join(folder, ".tessera-look-"));
  try {
    await using file = await open(join(own, "probe"), "wx", 0o600);
    await file.write(Buffer.alloc(probeBytes));
    await file.sync();
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function lookAtGpus({ say, clock, env, xids }: LookOptions): Promise<void> {
  say({ asks: "driver" });
  const [libraries, telemetry] = await Promise.all([
    import("../../../runtime/cuda/libraries/index.ts"),
    import("../../../runtime/cuda/telemetry/index.ts"),
  ]);
  const inKernel = (await readdir(kernelFolder).catch(() => [])).length;
  const [onBus, isDivided] = await Promise.all([gpusOnBus(), hasParts()]);
  const driver = { saw: "driver", onBus, inKernel, isDivided } as const;
  const opened = telemetry.openGpuTelemetry({ env, clock });
  if ("reason" in opened) {
    const given = libraries.givenFolders(env);
    // That a library of ours or of the driver cannot be loaded proves nothing about the GPUs.
    const isAnswer = !("reason" in libraries.findLibrary("nvml", { env, given }));
    say({ ...driver, isLoaded: existsSync(kernelVersion), isAnswer, problem: opened.reason });
    return;
  }
  const gpus = opened.gpus.map(({ model: _model, ...listed }) => listed);
  say({ ...driver, isLoaded: true, isAnswer: true, gpus });
  for (const { index, uuid } of gpus) {
    say({ asks: `gpu ${index}` });
    try {
      const { eccUncorrected, remapPending, remapFailed } = opened.counters({ uuid });
      const pids = pidsOn(opened, uuid);
      say({ saw: "gpu", uuid, eccUncorrected, remapPending, remapFailed, ...pids });
    } catch (error) {
      say({ saw: "gpu", uuid, problem: messageOf(error) });
    }
  }
  opened.close();
  if (!xids || gpus.length === 0) return;
  say({ asks: "xids" });
  const read = await telemetry.readXids({ clock, env });
  if ("reason" in read) say({ saw: "xids", problem: read.reason });
  else {
    const events = read.events.slice(-eventsMax);
    say({
      saw: "xids",
      events: events.map((one) => ({ ...one, text: one.text.slice(0, textMax) })),
    });
  }
}

/** GPUs that the machine has, whatever their driver says or whether it is loaded. */
async function gpusOnBus(): Promise<number> {
  const devices = await readdir(busFolder).catch(() => []);
  const textOf = (device: string, name: string) =>
    readFile(join(busFolder, device, name), "utf8").catch(() => "");
  const isGpu = await Promise.all(
    devices.map(async (device) => {
      if ((await textOf(device, "vendor")).trim() !== nvidiaVendor) return false;
      return gpuClass.test(await textOf(device, "class"));
    }),
  );
  return isGpu.filter(Boolean).length;
}

/** Who computes on a GPU; nothing where only others may ask. */
function pidsOn(telemetry: GpuTelemetry, uuid: string): { readonly pids?: number[] } {
  try {
    return { pids: telemetry.processes({ uuid }).map(({ pid }) => pid) };
  } catch {
    return {};
  }
}

/** Whether a GPU is divided: the driver then has folders for its instances. */
async function hasParts(): Promise<boolean> {
  const gpus = await readdir(capabilities).catch(() => []);
  for (const gpu of gpus.filter((name) => name.startsWith("gpu"))) {
    const parts = await readdir(join(capabilities, gpu, "mig")).catch(() => []);
    if (parts.some((name) => name.startsWith("gi"))) return true;
  }
  return false;
}
