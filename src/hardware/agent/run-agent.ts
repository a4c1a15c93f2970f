import { join } from "node:path";
import { messageOf } from "../../platform/errors/index.ts";
import { ensureDir } from "../../platform/files/index.ts";
import type { RunningServer } from "../../platform/http/index.ts";
import { openKernelLogWriter } from "../kernel-log/index.ts";
import { isLive } from "../objects/index.ts";
import type { AgentOptions } from "./agent-options.ts";
import { ArmedScopes } from "./armed-scopes.ts";
import { ControlKeeper } from "./control-keeper.ts";
import { Detector } from "./detector/index.ts";
import { FaultWatch } from "./fault-watch.ts";
import { type AgentHealth, serveHealth } from "./health.ts";
import { isInForce, xidOrders } from "./in-force.ts";
import { LineJournal } from "./line-journal.ts";
import { Wakeup } from "./wakeup.ts";
import { XidRunner } from "./xid-runner.ts";

const procFolderDefault = "/proc/driver/nvidia";
const tickMs = 1000;
const healthStopMs = 1000;

interface Parts {
  readonly watch: FaultWatch;
  readonly keeper: ControlKeeper;
  readonly runner: XidRunner;
  readonly detector: Detector | undefined;
}

/**
 * The agent of a node: carries out the faults of that node, keeps their control blocks, takes back
 * what has ended and, where asked to, shows fatal XIDs on the node. Resolves once the signal is given
 * and everything has stopped; what is in force is left to its lease, or to the next agent.
 *
 * @throws TesseraError E_HW_KERNEL_LOG, E_FILE_WRITE and others when it cannot do its work at all; an
 * API server that is away is waited for.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { controlFolder, log, ports } = options;
  const stateFolder = join(controlFolder, "state");
  await ensureDir(controlFolder);
  await ensureDir(stateFolder, { mode: 0o700 });
  const shimProblem = await ports.shim.layShim(controlFolder).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
  if (shimProblem !== undefined) {
    log.warn({ problem: shimProblem }, "pods of this node cannot have CUDA faults");
  }
  // Whichever part ends first, by a failure or by the signal, ends the others.
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const closers = new Closers();
  try {
    const watch = closers.add(new FaultWatch(options), (each) => each.stop());
    const server = closers.add(await startHealth(options, watch), (each) =>
      each?.stop({ deadlineMs: healthStopMs }),
    );
    const writer = closers.add(await openWriter(options), (each) => each?.close());
    await watch.start(signal);
    const names = new Set(watch.faults.map(({ metadata }) => metadata.name ?? ""));
    const journal = closers.add(
      await LineJournal.open(join(stateFolder, "lines.jsonl"), { keep: (name) => names.has(name) }),
      (each) => each.close(),
    );
    const { procFolder = procFolderDefault } = options;
    const shared = { ...options, ...ports, signal };
    const runner = closers.add(new XidRunner({ ...shared, procFolder, writer, journal }), (each) =>
      each.stop(),
    );
    const keeper = new ControlKeeper({
      ...shared,
      folder: controlFolder,
      armed: await ArmedScopes.open(join(stateFolder, "armed.json")),
      faults: () => watch.faults,
      shimProblem,
    });
    const detector = createDetector(options, { watch, stateFolder });
    await keeper.sweep();
    const healthUrl = server === undefined ? {} : { healthUrl: `${server.url}/healthz` };
    void detector?.following.then(() => options.onReady?.(healthUrl));
    if (detector === undefined) options.onReady?.(healthUrl);
    await together(options, { watch, keeper, runner, detector }, ending);
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    ending.abort();
    await closers.close();
  }
}

/** What was opened, closed from the last to the first. */
class Closers {
  readonly #all: (() => unknown)[] = [];

  add<T>(opened: T, close: (opened: T) => unknown): T {
    this.#all.push(() => close(opened));
    return opened;
  }

  async close(): Promise<void> {
    for (const close of this.#all.toReversed()) await close();
  }
}

/** Everything at once, until the signal; the first failure ends all of it and is thrown. */
async function together(
  options: AgentOptions,
  parts: Parts,
  ending: AbortController,
): Promise<void> {
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const reaper = options.ports.reaper((undo) => parts.keeper.disarm(undo));
  const tasks = [
    keepUp(options, parts, signal),
    reaper.run(signal),
    parts.detector?.run(signal) ?? Promise.resolve(),
  ];
  for (const task of tasks) task.catch(() => ending.abort());
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}

/** Makes the node what the faults say: at every change, and now and then. */
async function keepUp(options: AgentOptions, parts: Parts, signal: AbortSignal): Promise<void> {
  const { clock, log, node } = options;
  const { watch, keeper, runner, detector } = parts;
  const wakeup = new Wakeup();
  watch.onChange(() => wakeup.ring());
  while (!signal.aborted) {
    // With a view that is old nobody knows what has ended: nothing new is begun.
    if (watch.isLive) {
      try {
        runner.start(xidOrders(watch.faults, { node, nowMs: clock.nowMs() }));
        await keeper.reconcile();
        await detector?.release();
      } catch (err) {
        if (!signal.aborted) log.warn({ err }, "the node is not yet what the faults say");
      }
    }
    await wakeup.wait(clock, tickMs, signal);
  }
}

function createDetector(
  options: AgentOptions,
  { watch, stateFolder }: { readonly watch: FaultWatch; readonly stateFolder: string },
): Detector | undefined {
  const { detector: mode = "off", kernelLog } = options;
  if (mode === "off" || kernelLog === undefined) return undefined;
  const faults = () => watch.faults;
  return new Detector({ ...options, mode, kernelLog, stateFolder, faults });
}

async function openWriter({ allowKernelLogDevice = false, clock, kernelLog }: AgentOptions) {
  if (kernelLog === undefined) return undefined;
  return openKernelLogWriter({ path: kernelLog, allowDevice: allowKernelLogDevice, clock });
}

async function startHealth(
  options: AgentOptions,
  watch: FaultWatch,
): Promise<RunningServer | undefined> {
  const { clock, healthPort, log, node } = options;
  if (healthPort === undefined) return undefined;
  const health = (): AgentHealth => {
    const { faults, isLive: live, lastContactMs } = watch;
    const own = faults.filter((fault) => isLive(fault) && isInForce(fault, clock.nowMs()));
    const status = lastContactMs === undefined ? "starting" : live ? "ok" : "stale";
    return {
      node,
      status,
      lastContactAt: lastContactMs === undefined ? null : new Date(lastContactMs).toISOString(),
      faultsInForce: own.length,
    };
  };
  return serveHealth({ port: healthPort, clock, log, health });
}
