import { join } from "node:path";
import { Semaphore } from "../../../platform/concurrency/index.ts";
import { isNotFound } from "../../../platform/kube/index.ts";
import { sleep } from "../../../platform/time/index.ts";
import { followKernelLog } from "../../kernel-log/index.ts";
import { type HardwareFault, marks, ownCondition, type Sighting } from "../../objects/index.ts";
import { correlationIdIn } from "../../xid/index.ts";
import type { AgentOptions, DetectorMode } from "../agent-options.ts";
import { byCorrelation, isEnding } from "../in-force.ts";
import { type Cause, cordonMark, describeCause, isFaultMark, isReal } from "./cause.ts";
import { drainNode } from "./drain.ts";
import { LineJudge, type LineVerdict } from "./line-judge.ts";
import { NodeSurface } from "./node-surface.ts";
import { logIdentity, readMark, writeMark } from "./read-mark.ts";

export interface DetectorOptions
  extends Pick<AgentOptions, "client" | "clock" | "log" | "node" | "ports" | "random"> {
  readonly mode: Exclude<DetectorMode, "off">;
  readonly kernelLog: string;
  /** Where it keeps how far it has read. */
  readonly stateFolder: string;
  /** The faults as they are now. */
  readonly faults: () => readonly HardwareFault[];
}

type Counted = Extract<LineVerdict, { kind: "counts" }>;

const causesMax = 1024;
const saveEveryMs = 5000;
const retryMs = { first: 200, most: 10_000 } as const;

/** The detector for clusters that have none: reads the kernel log and shows fatal XIDs on the node. */
export class Detector {
  readonly #options: DetectorOptions;
  readonly #surface: NodeSurface;
  /** One change of the node after the other. */
  readonly #turn = new Semaphore({ permits: 1 });
  /** Why the node is shown as broken, oldest first. */
  readonly #causes = new Map<string, Cause>();
  #shown = false;
  #draining: AbortController | undefined;
  #lastSequence = -1;
  #savedAtMs = Number.NEGATIVE_INFINITY;
  #identity = "";

  #follow: () => void = () => {};

  /** Resolves when everything that was in the log has been read: what comes from then on is new. */
  readonly following = new Promise<void>((resolve) => {
    this.#follow = resolve;
  });

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#surface = new NodeSurface(options);
  }

  /** Takes away what an agent before has shown for faults that have ended since. */
  async #adopt(): Promise<void> {
    const node = await this.#surface.read();
    const condition = node.status?.conditions?.find(({ type }) => type === ownCondition);
    this.#shown = condition?.status === "True";
    const id = correlationIdIn(condition?.message ?? "");
    if (this.#shown && id !== undefined && this.#hasEnded(id)) {
      await this.#surface.clearCondition("the fault that caused it has ended");
      this.#shown = false;
    }
    const mark = node.metadata.annotations?.[marks.cordonedBy];
    if (mark !== undefined && isFaultMark(mark) && this.#hasEnded(mark)) {
      await this.#surface.uncordon(mark);
    }
  }

  /** Reads until the signal is given. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, kernelLog, log, node, ports } = this.#options;
    await this.#untilDone(() => this.#adopt(), { signal, isOver: () => false });
    this.#identity = await logIdentity(kernelLog);
    const dealtWithTo = await readMark(this.#markPath, this.#identity);
    const judge = new LineJudge({ dealtWithTo });
    const records = followKernelLog({
      path: kernelLog,
      clock,
      signal,
      from: "start",
      onLost: (lost) => log.warn({ lost }, "lines of the kernel log were overwritten unread"),
      onIdle: () => {
        judge.endBacklog();
        this.#follow();
        this.#saveSoon();
      },
    });
    for await (const record of records) {
      const faults = byCorrelation(this.#options.faults(), node);
      const verdict = judge.judge(record, ports.xid.parse(record.text), faults);
      if (verdict.kind === "counts") await this.#reactUntilDone(verdict, signal);
      this.#lastSequence = record.sequence;
    }
    this.#draining?.abort();
  }

  /** Takes back what is shown for faults that have ended. Called whenever faults have changed. */
  async release(): Promise<void> {
    await this.#turn.run(async () => {
      for (const cause of this.#causes.values()) {
        const { correlationId } = cause;
        if (correlationId !== undefined && this.#hasEnded(correlationId)) await this.#undo(cause);
      }
    });
  }

  async #reactUntilDone(counted: Counted, signal: AbortSignal): Promise<void> {
    const at = this.#now();
    const { correlationId } = counted.seen;
    await this.#untilDone(() => this.#react(counted, at, signal), {
      signal,
      isOver: () => correlationId !== undefined && this.#hasEnded(correlationId),
    });
  }

  /** An API server that is away is waited for: the line is in the log, and the node must show it. */
  async #untilDone(
    work: () => Promise<void>,
    { signal, isOver }: { readonly signal: AbortSignal; readonly isOver: () => boolean },
  ): Promise<void> {
    const { clock, log } = this.#options;
    let delayMs: number = retryMs.first;
    while (!signal.aborted && !isOver()) {
      try {
        await this.#turn.run(work);
        return;
      } catch (err) {
        if (isNotFound(err)) throw err;
        if (!signal.aborted) log.warn({ err }, "the node cannot be shown as it is yet");
      }
      await sleep(clock, delayMs, signal).catch(() => {});
      delayMs = Math.min(delayMs * 2, retryMs.most);
    }
  }

  async #react({ seen, fault }: Counted, at: string, signal: AbortSignal): Promise<void> {
    const { log, mode, ports } = this.#options;
    const name = fault?.metadata.name;
    const cause: Cause = { ...seen, ...(name === undefined ? {} : { fault: name }) };
    const detail = describeCause(seen);
    const sightings: Sighting[] = [{ at, by: "tessera", what: "line", detail }];
    if (seen.fatal) this.#remember(cause);
    const ownSightings = (fault?.status?.sightings ?? []).filter(({ by }) => by === "tessera");
    const known = ownSightings.some((each) => each.what === "line" && each.detail === detail);
    // The agent before has dealt with it: what somebody changed since then stays.
    if (known) {
      const isDrained = ownSightings.some(({ what }) => what === "drain");
      if (seen.fatal && mode === "drain" && !isDrained) await this.#drainOn(cause, signal);
      return;
    }
    if (seen.fatal) {
      log.warn({ xid: seen.xid, pci: seen.pci, fault: name }, "a fatal XID");
      await this.#surface.setCondition(cause, { isNew: !this.#shown });
      this.#shown = true;
      sightings.push({ at: this.#now(), by: "tessera", what: "condition", detail });
      if (mode !== "condition" && (await this.#surface.cordon(cause)) === "closed") {
        this.#forgetOverruled(cause);
        sightings.push({ at: this.#now(), by: "tessera", what: "cordon", detail });
      }
      if (mode === "drain") this.#drain(cause, signal);
    }
    if (name === undefined) return;
    for (const sighting of sightings) await ports.notes.sighted(name, sighting);
    // It may have ended while the node was changed, and then nobody would change it back.
    const now = await ports.notes.get(name);
    if (seen.fatal && (now === undefined || isEnding(now))) await this.#undo(cause);
  }

  async #undo(cause: Cause): Promise<void> {
    const mark = cordonMark(cause);
    const others = [...this.#causes].filter(([, other]) => cordonMark(other) !== mark);
    const next = (others.findLast(([, other]) => isReal(other)) ?? others.at(-1))?.[1];
    if (next === undefined) {
      this.#draining?.abort();
      if ((await this.#surface.uncordon(mark)) !== "real") {
        await this.#surface.clearCondition(`${describeCause(cause)} was taken back`);
        this.#shown = false;
      }
    } else {
      const isOurs = (await this.#surface.remark(mark, next)) === "given";
      // A reaper may have opened the node for the test: what is really broken gets no work.
      if (!isOurs && isReal(next) && this.#options.mode !== "condition") {
        await this.#surface.cordon(next);
      }
      await this.#surface.setCondition(next, { isNew: false });
    }
    for (const key of [...this.#causes.keys()]) {
      if (!others.some(([kept]) => kept === key)) this.#causes.delete(key);
    }
  }

  /** Goes on with a drain that an agent before was cut short in, while the node is still closed for it. */
  async #drainOn(cause: Cause, signal: AbortSignal): Promise<void> {
    const { metadata, spec } = await this.#surface.read();
    const isOurs = metadata.annotations?.[marks.cordonedBy] === cordonMark(cause);
    if (spec?.unschedulable === true && isOurs) this.#drain(cause, signal);
  }

  #drain(cause: Cause, signal: AbortSignal): void {
    if (this.#draining?.signal.aborted === false) return;
    const { log, ports } = this.#options;
    const controller = new AbortController();
    this.#draining = controller;
    const ended = AbortSignal.any([controller.signal, signal]);
    void drainNode({ ...this.#options, signal: ended })
      .then(async (pods) => {
        const detail = `${pods} pods were evicted`;
        const sighting = { at: this.#now(), by: "tessera", what: "drain", detail };
        if (cause.fault !== undefined) await ports.notes.sighted(cause.fault, sighting);
      })
      .catch((err: unknown) => {
        if (!ended.aborted) log.error({ err }, "the node could not be drained");
      })
      .finally(() => controller.abort());
  }

  #remember(cause: Cause): void {
    const key = `${cordonMark(cause)} ${cause.xid} ${cause.pci}`;
    this.#causes.delete(key);
    this.#causes.set(key, cause);
    const [oldest] = this.#causes.keys();
    if (this.#causes.size > causesMax && oldest !== undefined) this.#causes.delete(oldest);
  }

  /** The node was open: somebody has judged what was real before, and it closes the node no more. */
  #forgetOverruled(cause: Cause): void {
    const mark = cordonMark(cause);
    const others = [...this.#causes].filter(([, other]) => cordonMark(other) !== mark);
    // With a test among them it was open because that test was taken back.
    if (!others.every(([, other]) => isReal(other))) return;
    for (const [key] of others) this.#causes.delete(key);
  }

  #hasEnded(correlationId: string): boolean {
    const fault = byCorrelation(this.#options.faults(), this.#options.node).get(correlationId);
    return fault === undefined || isEnding(fault);
  }

  /** Not after every line: most say nothing, and one that is read again is known. */
  #saveSoon(): void {
    const { clock, log } = this.#options;
    if (clock.monotonicMs() - this.#savedAtMs < saveEveryMs) return;
    this.#savedAtMs = clock.monotonicMs();
    const mark = { log: this.#identity, sequence: this.#lastSequence };
    void writeMark(this.#markPath, mark).catch((err: unknown) => {
      log.warn({ err }, "how far the kernel log was read could not be kept");
    });
  }

  get #markPath(): string {
    return join(this.#options.stateFolder, "read-mark.json");
  }

  #now(): string {
    return new Date(this.#options.clock.nowMs()).toISOString();
  }
}
