import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { type HealthEvent, healthyEvent, type XidReading, xidEvent } from "./health-event.ts";
import type { NodeKernelLog } from "./simulator-options.ts";
import { type JournalRecord, type MonitorState, pollMonitor } from "./syslog-monitor.ts";

/** More lines than this between two looks: the oldest are lost, as journald's rotation loses them. */
const recordsMax = 10_000;

export interface MonitorPorts {
  readonly clock: Clock;
  readonly read: (line: string) => XidReading | undefined;
  readonly newId: () => string;
  readonly log: (text: string) => void;
}

/** The syslog monitor of one node. */
export class MonitorDriver {
  readonly #source: NodeKernelLog;
  readonly #ports: MonitorPorts;
  // A kernel's log is never empty: it has the lines of the boot.
  #records: JournalRecord[];
  #next = 1;
  #state: MonitorState = {};
  #boot: string;

  constructor(source: NodeKernelLog, ports: MonitorPorts) {
    this.#source = source;
    this.#ports = ports;
    this.#boot = this.#bootId();
    this.#records = [this.#bootRecord()];
  }

  /** Reads the node's log until it ends or the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { node, records } = this.#source;
    try {
      for await (const { text } of records) {
        if (signal.aborted) return;
        this.#restartIfNewBoot();
        const record = { sequence: this.#next++, text, atMs: this.#ports.clock.nowMs() };
        this.#records.push(record);
        // Trimmed seldom: a flood of lines costs no copy for each.
        if (this.#records.length > 2 * recordsMax) this.#records = this.#records.slice(-recordsMax);
      }
    } catch (error) {
      if (!signal.aborted)
        this.#ports.log(`the kernel log of ${node} cannot be read: ${messageOf(error)}`);
    }
  }

  /** What came since the last look, as events. */
  poll(): readonly HealthEvent[] {
    this.#restartIfNewBoot();
    const { clock, newId } = this.#ports;
    const { node } = this.#source;
    const nowMs = clock.nowMs();
    const log = { records: this.#records, bootId: this.#boot, nowMs };
    const { state, records, rebooted } = pollMonitor(this.#state, log);
    this.#state = state;
    this.#records = this.#records.slice(-1);
    const well = rebooted ? [healthyEvent({ node, atMs: nowMs, id: newId() })] : [];
    return [...well, ...records.flatMap((record) => this.#eventsOf(record, nowMs))];
  }

  #eventsOf({ text }: JournalRecord, atMs: number): readonly HealthEvent[] {
    const { read, newId } = this.#ports;
    const reading = read(text);
    if (reading === undefined) return [];
    const { node } = this.#source;
    const gpuUuid = this.#source.gpuUuid?.(reading.pci);
    return [xidEvent(reading, { node, line: text, atMs, id: newId(), gpuUuid })];
  }

  #restartIfNewBoot(): void {
    const boot = this.#bootId();
    if (boot === this.#boot) return;
    this.#boot = boot;
    this.#next = 1;
    this.#records = [this.#bootRecord()];
  }

  #bootRecord(): JournalRecord {
    return { sequence: 0, text: "Linux", atMs: this.#ports.clock.nowMs() };
  }

  #bootId(): string {
    return this.#source.bootId?.() ?? "boot";
  }
}
