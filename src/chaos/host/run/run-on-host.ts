import { join } from "node:path";
import { ensureDir } from "../../../platform/files/index.ts";
import { randomSeed } from "../../../platform/rng/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { sleep } from "../../../platform/time/index.ts";
import { newSecret } from "../../../runtime/ranks/index.ts";
import { type Ledger, openLedger, recoverLedgers } from "../../ledger/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import type { RunRecord } from "../../record/index.ts";
import type { WorldRunOptions } from "../../world.ts";
import type { RunTraces } from "../cleanup/clear-run.ts";
import { tracesLeft } from "../cleanup/traces-left.ts";
import { hostUndo } from "../cleanup/undo-executor.ts";
import { startWatchdog } from "../cleanup/watchdog.ts";
import { type DiskKind, openDisk } from "../disk/index.ts";
import { openNamespaces, whyNoNamespaces } from "../namespaces/index.ts";
import { HostRun } from "./host-run.ts";
import { type HostNetwork, proxyNetwork } from "./network.ts";

export interface RunOnHostOptions extends WorldRunOptions {
  readonly command: readonly [string, ...string[]];
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly network?: "auto" | "proxy" | "namespaces";
  readonly disk?: DiskKind;
}

const leaseMs = 60_000;

/** Where the ledgers of a folder's runs lie. */
export function ledgersIn(folder: string): string {
  return join(folder, "ledgers");
}

/** Takes back what earlier runs left in force whose runners are gone. @returns how many faults that were */
export async function recoverHost(folder: string, clock: Clock): Promise<number> {
  const executor = hostUndo(clock);
  const { undone } = await recoverLedgers({ folder: ledgersIn(folder), clock, executor });
  return undone.length;
}

/**
 * Runs a plan on this machine. Whatever happens, no fault is in force when it settles, and no process,
 * namespace, mount or file of the run is left.
 */
export async function runOnHost(plan: ChaosPlan, options: RunOnHostOptions): Promise<RunRecord> {
  const { clock, folder } = options;
  await recoverHost(folder, clock);
  const id = randomSeed()
    .replace(/[^0-9a-z]/gi, "")
    .slice(0, 16);
  const run = `host-${id}`;
  const kind = await networkKind(options);
  const traces: RunTraces = {
    run,
    folder: join(folder, "runs", run),
    networkPrefix: kind === "namespaces" ? `tc${hexOf(id)}` : null,
  };
  const ledger = await openLedger({ folder: ledgersIn(folder), run, clock, leaseMs });
  // Before there is anything to clear.
  const target = `run ${run}`;
  const undo = { kind: "clear-run", data: traces };
  const entry = await ledger.plan({ fault: "host-world", target, undo });
  const watchdog = startWatchdog(options.command, { folder: ledgersIn(folder), run }, options);
  const lease = keepLease(ledger, clock);
  try {
    await ensureDir(traces.folder, { mode: 0o700 });
    await ledger.activate(entry);
    return await runWith(plan, { ...options, traces, ledger });
  } finally {
    lease.stop();
    await ledger.revertAll(hostUndo(clock));
    await ledger.close();
    await watchdog.dismiss();
  }
}

async function runWith(
  plan: ChaosPlan,
  options: RunOnHostOptions & { readonly traces: RunTraces; readonly ledger: Ledger },
): Promise<RunRecord> {
  const { clock, traces, ledger, command, env, signal } = options;
  const { onEvent = () => {}, onInjection = () => {} } = options;
  const { run, networkPrefix: prefix } = traces;
  const network: HostNetwork =
    prefix === null
      ? proxyNetwork(run)
      : await openNamespaces({ prefix, run, fleet: plan.fleet, clock });
  const { folder } = traces;
  const disk = await openDisk(plan, { run, folder, clock, kind: options.disk ?? "auto" });
  const secret = newSecret();
  const about = { run, plan, command, env, clock, ledger, network, secret, disk };
  const host = new HostRun({ ...about, signal, onEvent, onInjection });
  try {
    const { end, endUs } = await host.run();
    if (end === "finished" || end === "gave-up") await host.emptied();
    const inForce = await host.undo();
    await host.close();
    await network.close();
    await disk.limited?.close();
    const residualFaults = [...inForce, ...(await tracesLeft(traces, clock))];
    const { events, injections } = host;
    const finish = events.find((event) => event.kind === "finish");
    return {
      world: "host",
      provenance: "measured",
      plan,
      events,
      injections,
      residualFaults,
      end,
      endUs,
      stateDigest: finish?.kind === "finish" ? finish.stateDigest : null,
      traceHash: null,
      probes: [],
      notes: [
        `Ranks were processes of this machine; links were broken by ${network.kind === "proxy" ? "our own proxy" : "the kernel and our own proxy"}.`,
        ...network.notes,
        ...disk.notes,
      ],
    };
  } finally {
    await host.close();
    await network.close();
    await disk.limited?.close();
  }
}

async function networkKind({ network = "auto", clock }: RunOnHostOptions) {
  if (network !== "auto") return network;
  return (await whyNoNamespaces({ clock })) === undefined ? "namespaces" : "proxy";
}

/** Six digits that tell this run's links from those of others; names of links are short. */
function hexOf(id: string): string {
  return Buffer.from(id).toString("hex").slice(-6);
}

/** Renews the lease of a run's faults as long as its runner lives. */
function keepLease(ledger: Ledger, clock: Clock): { stop(): void } {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      await sleep(clock, leaseMs / 3, stop.signal);
      await ledger.renew();
    }
  };
  // A lease that cannot be renewed ends, and others may take the faults back.
  loop().catch(() => {});
  return { stop: () => stop.abort(new Error("the run is over")) };
}
