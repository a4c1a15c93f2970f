import { messageOf } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { KernelLogWriter } from "../kernel-log/index.ts";
import type { XidAction } from "../objects/index.ts";
import type { AgentLog, FaultNotes, XidPort } from "./agent-options.ts";
import { findGpu } from "./gpu-address.ts";
import { type FaultOf, isInForce, isXid } from "./in-force.ts";
import type { LineJournal } from "./line-journal.ts";

export interface XidRunnerOptions {
  /** Undefined where the node has no kernel log for us. */
  readonly writer: KernelLogWriter | undefined;
  readonly journal: LineJournal;
  readonly xid: XidPort;
  readonly notes: FaultNotes;
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly procFolder: string;
  readonly signal: AbortSignal;
}

/** Faults whose lines are being written at the same time; the others wait for their turn. */
const runningMax = 64;

/** Writes the lines of XID faults, each fault by itself, so that delays of one hold up no other. */
export class XidRunner {
  readonly #options: XidRunnerOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: XidRunnerOptions) {
    this.#options = options;
  }

  /** Begins those that have not begun. Coming back with the same ones changes nothing. */
  start(faults: readonly FaultOf<XidAction>[]): void {
    const { log, signal } = this.#options;
    for (const fault of faults) {
      const name = fault.metadata.name ?? "";
      if (this.#running.has(name) || this.#running.size >= runningMax) continue;
      const done = this.#carryOut(name)
        .catch((err: unknown) => {
          // It is still armed, so the next look at the faults takes it up again.
          if (!signal.aborted) log.warn({ err, fault: name }, "the fault is tried again");
        })
        .finally(() => this.#running.delete(name));
      this.#running.set(name, done);
    }
  }

  /** Waits for what is under way; the signal has been given by then. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #carryOut(name: string): Promise<void> {
    const { clock, journal, log, notes, signal } = this.#options;
    // Asked afresh: a line cannot be taken back, and the view may be some moments old.
    const fault = await notes.get(name);
    if (fault === undefined || !isXid(fault) || fault.status?.state !== "armed") return;
    const texts = await this.#texts(fault);
    if ("problem" in texts) {
      log.warn({ fault: name, problem: texts.problem }, "the fault cannot be carried out");
      await notes.failed(name, texts.problem);
      return;
    }
    const { lines } = fault.spec.action;
    for (const [index, text] of texts.lines.entries()) {
      const state = journal.stateOf(name, index);
      if (state === "written") continue;
      if (state === "announced") {
        await this.#mayBeMissing(name, index);
        return;
      }
      const delayMs = lines[index]?.delayMs ?? 0;
      if (delayMs > 0) await sleep(clock, delayMs, signal);
      // In the meantime somebody may have ended it.
      const now = delayMs > 0 ? await notes.get(name) : fault;
      if (now === undefined || !isInForce(now, clock.nowMs())) return;
      await this.#write({ name, index, text });
    }
    await notes.injected(name);
  }

  async #write({
    name,
    index,
    text,
  }: {
    readonly name: string;
    readonly index: number;
    readonly text: string;
  }): Promise<void> {
    const { journal, log, notes, writer } = this.#options;
    await journal.announce(name, index);
    try {
      await writer?.write(text);
      await journal.wrote(name, index);
      log.info({ fault: name, line: index }, "wrote a line to the kernel log");
    } catch (error) {
      // Whatever the lines before it have led to is taken back.
      await notes.failed(name, messageOf(error));
      throw error;
    }
  }

  /** It may be in the log or not: writing it again is worse than a fault that says that it failed. */
  async #mayBeMissing(name: string, index: number): Promise<void> {
    const { log, notes } = this.#options;
    const problem = `line ${index + 1} may be missing: an agent ended while it wrote it, or could not`;
    log.warn({ fault: name, line: index }, problem);
    await notes.failed(name, problem);
  }

  /** All lines, so that none is written where one of them cannot be. */
  async #texts(
    fault: FaultOf<XidAction>,
  ): Promise<{ readonly lines: readonly string[] } | { readonly problem: string }> {
    const { procFolder, writer, xid } = this.#options;
    if (writer === undefined) return { problem: "the agent of this node has no kernel log" };
    const { correlationId, gpu, lines } = fault.spec.action;
    const found = await findGpu(gpu, procFolder);
    if ("problem" in found) return found;
    try {
      const { pci } = found;
      return {
        lines: lines.map(({ xid: number, text }) =>
          xid.formatLine({
            xid: number,
            pci,
            correlationId,
            ...(text === undefined ? {} : { text }),
          }),
        ),
      };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  }
}
