import { messageOf } from "../../../platform/errors/index.ts";
import { type Clock, sleep } from "../../../platform/time/index.ts";
import { type BreakerStatus, breakerDefaults } from "./breaker.ts";
import { connectEvent } from "./connector.ts";
import { drainDefaults } from "./drain.ts";
import { DrainDriver } from "./drain-driver.ts";
import type { HealthEvent } from "./health-event.ts";
import { MonitorDriver } from "./monitor-driver.ts";
import { nvSentinelNames } from "./names.ts";
import type { QuarantineStatus } from "./quarantine.ts";
import { listGpuNodes, QuarantineDriver } from "./quarantine-driver.ts";
import type { Remediation } from "./remediation.ts";
import type { NvSentinelSimulatorOptions, SimulatorPorts } from "./simulator-options.ts";

/** A stand-in for NVSentinel on a real cluster: the same marks on nodes, at the same moments. */
export interface NvSentinelSimulator {
  /** Watches, closes and drains until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Hands an event in, as a monitor would. @returns what fault-quarantine made of it */
  submit(event: HealthEvent): Promise<QuarantineStatus | undefined>;
  /** One look at every log, as `run` takes every `pollMs`. */
  poll(): Promise<void>;
  /** One look at every node, as `run` takes every `sweepMs`. */
  sweep(): Promise<void>;
  /** How often the logs were looked at. The first look only finds their ends. */
  readonly polls: number;
  /** What would have been done to machines. Nothing is. */
  readonly remediations: readonly Remediation[];
  breakerStatus(): Promise<BreakerStatus>;
}

export function createNvSentinelSimulator(
  options: NvSentinelSimulatorOptions,
): NvSentinelSimulator {
  return new Simulator(options);
}

/** Events that failed wait for the next look; more than this are dropped, and said. */
const backlogMax = 1_000;

class Simulator implements NvSentinelSimulator {
  readonly #options: NvSentinelSimulatorOptions;
  readonly #ports: SimulatorPorts;
  readonly #quarantine: QuarantineDriver;
  readonly #drain: DrainDriver | undefined;
  readonly #monitors: readonly MonitorDriver[];
  #backlog: readonly HealthEvent[] = [];
  #polls = 0;

  constructor(options: NvSentinelSimulatorOptions) {
    const { client, clock, random, read, log, drain, kernelLogs } = options;
    const namespace = options.namespace ?? nvSentinelNames.namespace;
    this.#options = options;
    this.#ports = { client, clock, random, namespace, log };
    this.#quarantine = new QuarantineDriver(this.#ports, {
      ...breakerDefaults,
      ...options.breaker,
    });
    this.#drain =
      drain === null ? undefined : new DrainDriver(this.#ports, { ...drainDefaults, ...drain });
    const newId = () => Buffer.from(random.bytes(16)).toString("hex");
    this.#monitors = kernelLogs.map(
      (source) => new MonitorDriver(source, { clock, read, newId, log }),
    );
  }

  get polls(): number {
    return this.#polls;
  }

  get remediations(): readonly Remediation[] {
    return this.#drain?.remediations ?? [];
  }

  breakerStatus(): Promise<BreakerStatus> {
    return this.#quarantine.breakerStatus();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, pollMs = 15_000, sweepMs = 1_000 } = this.#options;
    // Followers that wait for a line end with their signal, or with the process; nobody waits for them.
    for (const monitor of this.#monitors) void monitor.follow(signal);
    await Promise.all([
      every(clock, pollMs, signal, () => this.#attempt("look at the kernel logs", this.poll())),
      every(clock, sweepMs, signal, () => this.#attempt("look at the nodes", this.sweep())),
    ]);
  }

  async submit(event: HealthEvent): Promise<QuarantineStatus | undefined> {
    await connectEvent(this.#ports, event);
    return await this.#quarantine.handle(event);
  }

  async poll(): Promise<void> {
    const events = [...this.#backlog, ...this.#monitors.flatMap((monitor) => monitor.poll())];
    this.#backlog = [];
    this.#polls++;
    for (const [at, event] of events.entries()) {
      try {
        await this.submit(event);
      } catch (error) {
        const left = events.slice(at);
        if (left.length > backlogMax)
          this.#ports.log(`${left.length - backlogMax} events are lost: too many wait`);
        this.#backlog = left.slice(-backlogMax);
        throw error;
      }
    }
  }

  async sweep(): Promise<void> {
    const nodes = await listGpuNodes(this.#ports);
    const opened = await this.#quarantine.sweep(nodes);
    await this.#drain?.sweep(nodes.filter(({ metadata }) => !opened.includes(metadata.name ?? "")));
  }

  async #attempt(what: string, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#ports.log(`could not ${what}, trying again: ${messageOf(error)}`);
    }
  }
}

async function every(
  clock: Clock,
  delayMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(clock, delayMs, signal);
    } catch {
      return;
    }
    await work();
  }
}
