import assert from "node:assert/strict";
import type { Assignment } from "../../elastic/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { Crew, Group } from "./crew.ts";
import { Crews } from "./crews.ts";
import { Exchanges } from "./exchanges.ts";
import type { Hits } from "./hits.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";
import { StepPace } from "./step-pace.ts";
import { backwardShare, forwardShare, op } from "./step-program.ts";
import type { StepValues } from "./step-values.ts";
import type { TriggerBoard } from "./trigger-board.ts";

export interface StepRunnerParts {
  readonly values: StepValues;
  readonly hits: Hits;
  readonly triggers: TriggerBoard;
  /** By index: those that are alive. */
  readonly processes: readonly (SimProcess | undefined)[];
  readonly onTimeout: (process: SimProcess) => void;
}

/** What the ranks of a crew do together: meet, compute, exchange, compare. */
export class StepRunner {
  readonly exchanges: Exchanges;
  readonly #context: JobContext;
  readonly #parts: StepRunnerParts;
  readonly #processes: StepRunnerParts["processes"];
  readonly #computed: EventKind;
  readonly #troubled: EventKind;
  readonly #met: EventKind;
  readonly #pace: StepPace;
  readonly #isHung: Uint8Array;
  readonly #crews: Crews;

  constructor(context: JobContext, parts: StepRunnerParts) {
    const { engine, machines } = context;
    this.#context = context;
    this.#parts = parts;
    this.#processes = parts.processes;
    this.#isHung = new Uint8Array(machines.layout.slots);
    this.#pace = new StepPace(context);
    this.exchanges = new Exchanges(context, {
      completed: (group) => this.#completed(group),
      released: (process) => this.#released(process),
      timedOut: (process, suspects) => this.#timedOut(process, suspects),
      processes: parts.processes,
    });
    this.#crews = new Crews(context, { exchanges: this.exchanges, values: parts.values });
    this.#computed = engine.kind("step.computed", (index, token) => this.#onComputed(index, token));
    this.#troubled = engine.kind("step.troubled", (index, token) => this.#onTroubled(index, token));
    this.#met = engine.kind("step.met", (index, token) => this.#onMet(index, token));
    machines.listen({
      slotChanged: (slot, state) => {
        this.#isHung[slot] = state === "hung" ? 1 : 0;
      },
    });
  }

  join(process: SimProcess, assignment: Assignment): void {
    this.exchanges.leave(process);
    this.exchanges.enter(process, this.#crews.join(process, assignment).join);
  }

  /** The next crew of the same ranks: an order to restore begins it. */
  restoring(process: SimProcess): Crew {
    return this.#crews.restoring(process);
  }

  step(process: SimProcess): void {
    process.op = 0;
    process.token++;
    const { token } = process;
    this.#parts.triggers.beginsStep(process.slot, process.worker.step + 1);
    if (!process.isAlive || process.token !== token) return;
    this.#parts.hits.beginStep(process);
    if (process.deviceError !== null || !this.#parts.hits.hasMemory(process)) {
      const cause = process.deviceError === null ? "memory" : "device";
      const reason = process.deviceError ?? "a request for memory was refused";
      this.troubleSoon(process, cause, reason);
      return;
    }
    this.#next(process);
  }

  compare(process: SimProcess): void {
    this.#enter(process, crewOf(process).compare);
  }

  /** Whatever it is in ends without an answer. */
  cancel(process: SimProcess): void {
    this.exchanges.leave(process);
    process.isOwed = false;
    process.trouble = null;
  }

  /** Its process is gone. */
  lost(process: SimProcess): void {
    this.cancel(process);
    const { crew, rank } = process;
    if (crew?.members[rank] === process) crew.members[rank] = undefined;
  }

  /** A worker is told of its trouble by an event of its own, never from within what it asked for. */
  troubleSoon(process: SimProcess, cause: "device" | "memory", reason: string): void {
    this.exchanges.leave(process);
    process.isOwed = false;
    process.trouble = { cause, suspects: [], reason };
    this.#context.engine.after(1, this.#troubled, process.index, process.token);
  }

  /** A device that hung works again: what it owed comes now. */
  unhung(process: SimProcess): void {
    if (!process.isOwed) return;
    process.isOwed = false;
    this.#context.engine.after(1, this.#computed, process.index, process.token);
  }

  /** On with the program until something takes time. */
  #next(process: SimProcess): void {
    const crew = crewOf(process);
    const { rank } = process;
    const { tp } = crew.shape;
    const { program } = process;
    while (process.op < program.length) {
      switch (program[process.op++] as number) {
        case op.computeForward:
          this.#compute(process, forwardShare);
          return;
        case op.computeBackward:
          this.#compute(process, backwardShare);
          return;
        case op.sumForward:
        case op.sumBackward:
          this.#enter(process, crew.tpOf(rank));
          return;
        case op.sumGradients:
          this.#enter(process, crew.dpOf(rank));
          return;
        case op.sumMetrics:
          this.#enter(process, crew.all);
          return;
        case op.sendForward:
          if (!this.#send(process, crew.forward[rank])) return;
          break;
        case op.sendBackward:
          if (!this.#send(process, crew.backward[rank])) return;
          break;
        case op.receiveForward:
          if (!this.#receive(process, crew.forward[rank - tp])) return;
          break;
        case op.receiveBackward:
          if (!this.#receive(process, crew.backward[rank + tp])) return;
          break;
      }
    }
  }

  #compute(process: SimProcess, share: number): void {
    const us = this.#pace.computeUs(process, share);
    this.#context.engine.after(us, this.#computed, process.index, process.token);
  }

  #onComputed(index: number, token: number): void {
    const process = this.#processes[index];
    if (process === undefined || process.token !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onComputed(index, token));
      return;
    }
    if (this.#isHung[process.slot] === 1) {
      process.isOwed = true;
      const sentence = `the device of rank ${process.rank} did not finish what it was given`;
      this.#context.effects.saw("hang", process.slot, sentence);
      return;
    }
    if (process.deviceError !== null) {
      this.troubleSoon(process, "device", process.deviceError);
      return;
    }
    this.#next(process);
  }

  #enter(process: SimProcess, group: Group): void {
    const { triggers, hits } = this.#parts;
    if (triggers.countsCollectives && (group.axis === "tp" || group.axis === "dp")) {
      const { token } = process;
      triggers.entersCollective(process.slot, group.axis);
      if (!process.isAlive || process.token !== token) return;
    }
    if (hits.areCollectives) hits.enters(process, group);
    this.exchanges.enter(process, group);
  }

  #send(process: SimProcess, channel: Crew["forward"][number]): boolean {
    assert(channel !== undefined, "a stage sends to its neighbour");
    if (!this.#aboutToTransfer(process)) return false;
    this.exchanges.send(
      channel,
      this.#parts.hits.areCollectives && this.#parts.hits.losesTransfer(process),
    );
    return true;
  }

  #receive(process: SimProcess, channel: Crew["forward"][number]): boolean {
    assert(channel !== undefined, "a stage receives from its neighbour");
    return this.#aboutToTransfer(process) && this.exchanges.receive(process, channel);
  }

  #aboutToTransfer(process: SimProcess): boolean {
    const { triggers } = this.#parts;
    if (!triggers.countsCollectives) return true;
    const { token } = process;
    triggers.entersCollective(process.slot, "pp");
    return process.isAlive && process.token === token;
  }

  #completed(group: Group): void {
    if (group.axis === "all") this.#parts.values.conclude(group.crew);
    else if (group.axis === "compare") this.#parts.values.compare(group.crew);
  }

  /** An exchange gave a process its answer. */
  #released(process: SimProcess): void {
    const crew = crewOf(process);
    const { worker } = process;
    switch (worker.phase) {
      case "joining":
        this.#context.engine.after(
          this.#context.workload.pace.rendezvousUs,
          this.#met,
          process.index,
          process.token,
        );
        return;
      case "comparing":
        if (crew.odd === null) worker.compared();
        else worker.troubled("comparison", crew.odd, "replicas hold different states");
        return;
      default:
        if (process.op < process.program.length) this.#next(process);
        else this.#stepped(process, crew);
    }
  }

  #stepped(process: SimProcess, crew: Crew): void {
    const step = process.worker.step + 1;
    if (crew.badStep === step) {
      process.worker.troubled("numerics", [], `step ${step} gave no finite number`);
      return;
    }
    const news = crew.latest?.step === step ? crew.latest : crew.news.get(step);
    if (news === undefined) assert.fail("a step that ended has a result");
    process.worker.stepped(news, process.stateDigest);
  }

  #onMet(index: number, token: number): void {
    const process = this.#processes[index];
    if (process === undefined || process.token !== token) return;
    if (process.isFrozen) process.putOff(() => this.#onMet(index, token));
    else process.worker.joined();
  }

  #timedOut(process: SimProcess, suspects: readonly number[]): void {
    const { collectiveUs } = this.#context.plan.timeouts;
    this.#parts.onTimeout(process);
    this.exchanges.giveUp(process);
    process.worker.troubled(
      "collective",
      suspects,
      `an exchange did not end in ${collectiveUs} us`,
    );
  }

  #onTroubled(index: number, token: number): void {
    const process = this.#processes[index];
    if (process === undefined || process.trouble === null || process.token !== token) return;
    if (process.isFrozen) {
      process.putOff(() => this.#onTroubled(index, token));
      return;
    }
    const { cause, suspects, reason } = process.trouble;
    process.trouble = null;
    if (cause === "device") this.#context.effects.saw("process", process.slot, reason);
    process.worker.troubled(cause, suspects, reason);
  }
}

function crewOf({ crew }: SimProcess): Crew {
  // Several times in each step: a call of assert would cost more than all the rest.
  if (crew === null) assert.fail("who takes part in something has a crew");
  return crew;
}
