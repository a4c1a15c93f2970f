import assert from "node:assert/strict";
import type { Coordinator, ToWorker, WorkerName } from "../../elastic/index.ts";
import type { InjectionRecord, JobEvent, RunRecord } from "../../record/index.ts";
import type { ToRunner } from "../control/messages.ts";
import type { HostWorkerStart } from "../control/worker-order.ts";
import type { HostControl } from "../faults/host-control.ts";
import { Injector } from "../faults/injector.ts";
import { LinkProxy } from "../proxy/link-proxy.ts";
import { openControlDesk } from "./control-desk.ts";
import { CoordinatorHost } from "./coordinator-host.ts";
import { hostControl } from "./host-control.ts";
import type { HostRunOptions } from "./host-run-options.ts";
import { Meetings } from "./meetings.ts";
import { Notices } from "./notices.ts";
import { OrderBook } from "./order-book.ts";
import { PaceWatch } from "./pace-watch.ts";
import { Recorder } from "./recorder.ts";
import { RollCalls } from "./roll-calls.ts";
import { SlotGate } from "./slot-gate.ts";
import { Timers } from "./timers.ts";
import { TriggerBoard } from "./trigger-board.ts";
import { Witness } from "./witness.ts";
import { WorkerPool } from "./worker-pool.ts";

type End = Pick<RunRecord, "end" | "endUs">;

/** One run of a plan: the coordinator, its workers, and what breaks them. */
export class HostRun {
  readonly #o: HostRunOptions;
  readonly #slots: number;
  readonly #recorder: Recorder;
  readonly #pool: WorkerPool;
  readonly #gate = new SlotGate();
  readonly #orders: OrderBook;
  readonly #pace: PaceWatch;
  readonly #coordinator: CoordinatorHost;
  readonly #board: TriggerBoard;
  readonly #injector: Injector;
  readonly #notices = new Notices();
  readonly #witness: Witness;
  readonly #rollCalls: RollCalls;
  readonly #timers: Timers;
  #proxy: LinkProxy | undefined;
  #meetings: Meetings | undefined;
  #desk: { readonly where: string; close(): Promise<void> } | undefined;
  #finish: (end: End["end"]) => void = () => {};
  #fail: (error: unknown) => void = () => {};

  constructor(options: HostRunOptions) {
    const { plan, clock, command, env, run, ledger } = options;
    const { fleet, workload } = plan;
    assert(workload.kind === "training", "only training jobs run here");
    this.#o = options;
    this.#slots = (fleet.nodes + fleet.spareNodes) * fleet.devicesPerNode;
    this.#recorder = new Recorder(clock, options.onEvent);
    this.#timers = new Timers(clock);
    const onError = (error: unknown) => this.#fail(error);
    this.#pool = new WorkerPool({
      run,
      command,
      env,
      clock,
      startOf: (worker) => this.#startOf(worker),
      prefixOf: (slot) => options.network.prefixOf(slot),
      onExit: (worker, pid, how) => this.#exited(worker, pid, how),
      onFailure: (worker, reason) =>
        this.#coordinator.news({ type: "unavailable", slot: worker.slot, reason }),
    });
    this.#rollCalls = new RollCalls({
      send: (worker, message) => this.#pool.send(worker, message),
      after: (delayUs, callback) => this.#timers.after(delayUs, callback),
    });
    this.#orders = new OrderBook((slot, message) => this.#pool.sendToSlot(slot, message));
    this.#coordinator = new CoordinatorHost({
      plan,
      nowUs: () => this.#recorder.nowUs(),
      after: (delayUs, callback) => this.#timers.after(delayUs, callback),
      send: (to, message) => this.#send(to, message),
      start: (worker) => this.#start(worker),
      kill: (worker) => this.#pool.kill(worker),
      record: (event) => {
        this.#recorder.record(event);
        if (event.kind === "detect") this.#witness.detected(event.by, event.reason);
      },
      onChange: (coordinator) => this.#changed(coordinator),
      onError,
    });
    this.#witness = new Witness({
      faults: plan.faults,
      saw: (injection, what) => this.#injector.saw(injection, what),
      endOrders: (injection) => this.#orders.end(injection),
    });
    const control = this.#control();
    const nowUs = () => this.#recorder.nowUs();
    const { onInjection } = options;
    this.#injector = new Injector({ plan, ledger, control, nowUs, onInjection });
    this.#pace = new PaceWatch(plan, (id, what) => this.#injector.saw(id, what));
    this.#board = new TriggerBoard({
      plan,
      inject: (fault) => this.#injector.inject(fault),
      go: (slot, token) => this.#pool.sendToSlot(slot, { type: "go", token }),
      rearm: () => this.#rearm(),
      after: (delayUs, callback) => void this.#timers.after(delayUs, callback),
      onError,
    });
  }

  get events(): readonly JobEvent[] {
    return this.#recorder.events;
  }

  get injections(): readonly InjectionRecord[] {
    return this.#injector.records();
  }

  /** Runs the job to its end. @throws what went wrong with this world, not with the job */
  async run(): Promise<End> {
    const { plan, network, clock, secret, signal } = this.#o;
    const onError = (error: unknown) => this.#fail(error);
    const saw = (injection: string, what: string) => this.#injector.saw(injection, what);
    const { host } = network;
    this.#proxy = await LinkProxy.open({
      clock,
      seed: plan.seed,
      slots: this.#slots,
      host,
      onHit: saw,
    });
    network.connect(this.#proxy, saw);
    const send = this.#pool.send.bind(this.#pool);
    this.#meetings = new Meetings({ clock, secret, host, proxy: this.#proxy, send, onError });
    this.#desk = await openControlDesk({
      host,
      secret,
      clock,
      pool: () => this.#pool,
      onConnected: ({ slot }) => this.#connected(slot),
      onMessage: (worker, message) => this.#hear(worker, message),
      onError,
    });
    this.#proxy.setTarget(this.#slots, this.#desk.where);
    const ended = new Promise<End["end"]>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    const onAbort = () => this.#finish("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.#timers.after(plan.limits.durationUs, () => this.#finish("cut"));
    try {
      this.#coordinator.start();
      const end = await ended;
      return { end, endUs: this.#recorder.nowUs() };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Takes everything back, and looks for what is left. @returns faults that are still in force */
  async undo(): Promise<readonly string[]> {
    const problems = await this.#injector.revertAll();
    const closed = this.#gate.closed().map((slot) => `slot ${slot} is closed`);
    const { network, disk } = this.#o;
    const filled = (await disk.limited?.inForce()) ?? [];
    return [...problems, ...closed, ...filled, ...(await network.inForce())];
  }

  /** Waits, not for ever, until workers that were told to stop have ended; then ends the rest. */
  async close(): Promise<void> {
    this.#coordinator.close();
    this.#timers.close();
    await this.#pool.close();
    await this.#meetings?.close();
    await this.#desk?.close();
    await this.#proxy?.close();
  }

  /** When all workers have gone by themselves, as the job told them to. */
  async emptied(): Promise<void> {
    await this.#pool.emptied();
  }

  #startOf({ slot, incarnation }: WorkerName): HostWorkerStart {
    const { run, plan, secret, disk, network } = this.#o;
    const { root } = disk;
    assert(this.#desk !== undefined && this.#proxy !== undefined, "the desk is open");
    const runner = this.#desk.where;
    const coordinator = this.#proxy.addressFor(slot, this.#slots);
    const host = network.hostOf(slot);
    const collectives = this.#pace.collectivesOf(slot);
    const wires = this.#board.wiresOf(slot);
    const about = { slot, incarnation, collectives, wires };
    return { run, plan, secret, root, runner, coordinator, host, ...about };
  }

  #start(worker: WorkerName): void {
    const reason = this.#gate.reasonOf(worker.slot);
    if (reason === undefined) this.#pool.start(worker);
    else this.#coordinator.news({ type: "unavailable", slot: worker.slot, reason });
  }

  #send(to: WorkerName, message: ToWorker): void {
    if (message.type === "assign") {
      const { generation, members } = message.assignment;
      this.#meetings?.begin(generation, members);
    }
    this.#pool.send(to, { type: "elastic", message });
  }

  #connected(slot: number): void {
    this.#orders.tell(slot);
    // Faults may have begun since the process was started.
    this.#pool.sendToSlot(slot, { type: "wires", wires: this.#board.wiresOf(slot) });
  }

  #rearm(): void {
    for (let slot = 0; slot < this.#slots; slot++) {
      this.#pool.sendToSlot(slot, { type: "wires", wires: this.#board.wiresOf(slot) });
    }
  }

  #hear(worker: WorkerName, message: ToRunner): void {
    if (!this.#pool.isCurrent(worker)) return;
    const { slot } = worker;
    switch (message.type) {
      case "elastic":
        this.#coordinator.message(worker, message.message);
        return;
      case "listening":
        this.#meetings?.listening(worker, message);
        return;
      case "tripped":
        this.#board.tripped(slot, message);
        return;
      case "stalled":
        void this.#rollCalls.call(this.#coordinator.members, worker, message.call);
        return;
      case "impatient":
        for (const member of this.#coordinator.members) {
          this.#pool.send(member, { ...message, type: "passed-over" });
        }
        return;
      case "where":
        this.#rollCalls.answer(slot, message.call, message.where);
        return;
      case "seen":
        this.#witness.reported(slot, message.injection, message.what);
        return;
      case "pace":
        this.#pace.report(slot, message);
        return;
      case "checkpoint":
        this.#recorder.checkpoint(message.what, message.tag, message.digest);
        return;
      case "terminated":
        this.#terminated(slot);
    }
  }

  /** A SIGTERM is the notice of a preemption; otherwise somebody wants this worker to end. */
  #terminated(slot: number): void {
    const notice = this.#notices.take(slot);
    if (notice === undefined) {
      const message = { type: "stop", reason: "it was told to end" } as const;
      this.#pool.sendToSlot(slot, { type: "elastic", message });
      return;
    }
    this.#coordinator.news({ type: "preempt-notice", ...notice });
  }

  #exited(worker: WorkerName, pid: number, how: string): void {
    this.#witness.exited(worker.slot, pid, how);
    this.#coordinator.news({ type: "exited", worker, how });
  }

  #changed({ phase }: Coordinator): void {
    if (phase === "running") this.#board.trainingBegins();
    if (phase === "finished") this.#finish("finished");
    if (phase === "gave-up") this.#finish("gave-up");
  }

  #control(): HostControl {
    return hostControl({
      run: this.#o.run,
      fleet: this.#o.plan.fleet,
      slots: this.#slots,
      disk: this.#o.disk,
      clock: this.#o.clock,
      pool: this.#pool,
      gate: this.#gate,
      orders: this.#orders,
      network: this.#o.network,
      available: (slot) => this.#coordinator.news({ type: "available", slots: [slot] }),
      notice: (notice) => this.#notices.add(notice),
      onExit: (injection, pid) => this.#witness.waitForExit(injection, pid),
      seen: (injection, what) => this.#injector.saw(injection, what),
      after: (delayUs, callback) => this.#timers.after(delayUs, callback),
    });
  }
}
