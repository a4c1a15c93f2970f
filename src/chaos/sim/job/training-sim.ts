import { type Coordinator, type WithoutTime, workerOptionsOf } from "../../elastic/index.ts";
import type { PlannedFault } from "../../plan/index.ts";
import type { JobEvent } from "../../record/index.ts";
import { hostCoordinator } from "./coordinator-host.ts";
import type { Crew } from "./crew.ts";
import { Hits } from "./hits.ts";
import { Injector } from "./injector.ts";
import type { JobContext } from "./job-context.ts";
import { Mail } from "./mail.ts";
import { MarkWatch } from "./marks.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { type PortParts, ProcessPort } from "./process-port.ts";
import { Processes } from "./processes.ts";
import { Restores } from "./restores.ts";
import { Saves } from "./saves.ts";
import type { SimProcess } from "./sim-process.ts";
import { StepRunner } from "./step-runner.ts";
import { StepValues } from "./step-values.ts";
import { StuckWatch } from "./stuck-watch.ts";
import { slotsOfFault } from "./targets.ts";
import { TriggerBoard } from "./trigger-board.ts";

/** A training job in the simulator, with everything that may be done to it. */
export class TrainingSim {
  readonly injector: Injector;
  readonly values: StepValues;
  readonly #context: JobContext;
  readonly #coordinator: Coordinator;
  readonly #processes: Processes;
  readonly #steps: StepRunner;
  readonly #saves: Saves;
  readonly #restores: Restores;
  readonly #hits: Hits;
  readonly #mail: Mail;
  readonly #marks: MarkWatch;
  readonly #memory: MemoryWatch;
  readonly #stuck: StuckWatch;

  constructor(context: JobContext) {
    const { plan, machines, recorder } = context;
    this.#context = context;
    this.#marks = new MarkWatch((mark) => recorder.mark(mark));
    this.#stuck = new StuckWatch(context);
    this.#memory = new MemoryWatch(context);
    this.#hits = new Hits(context);
    this.values = new StepValues(context);
    const processes: (SimProcess | undefined)[] = [];
    const processAt = (index: number) => processes[index];
    const triggers = triggerBoardOf(context, (fault) => this.#inject(fault));
    this.#steps = new StepRunner(context, {
      values: this.values,
      hits: this.#hits,
      triggers,
      processes,
      onTimeout: ({ crew }) => this.#stuck.look(crew),
    });
    this.#saves = new Saves(context, { triggers, processAt });
    this.#restores = new Restores(context, {
      saves: this.#saves,
      triggers,
      processAt,
      outOfMemory: (process) =>
        this.#steps.troubleSoon(process, "memory", "there is no memory for the state"),
    });
    const parts: PortParts = {
      mail: () => this.#mail,
      processes: () => this.#processes,
      steps: this.#steps,
      saves: this.#saves,
      restores: this.#restores,
    };
    this.#processes = new Processes(context, {
      all: processes,
      coordinator: () => this.#coordinator,
      workerOptions: workerOptionsOf(plan),
      portOf: (process) => new ProcessPort(process, parts),
      send: (process, message) => this.#mail.toCoordinator(process, message),
      lost: (process) => {
        this.#saves.cancel(process);
        this.#steps.lost(process);
      },
      unhung: (process) => this.#steps.unhung(process),
    });
    this.#mail = new Mail(context, {
      coordinator: () => this.#coordinator,
      processOf: (name) => this.#processes.of(name),
    });
    this.#coordinator = hostCoordinator(context, {
      mail: () => this.#mail,
      processes: () => this.#processes,
      record: (event) => this.#record(event),
    });
    this.injector = new Injector(plan, {
      context,
      processes: this.#processes.faulty((process, reason) =>
        this.#steps.troubleSoon(process, "device", reason),
      ),
      hits: this.#hits,
      repairUs: context.workload.pace.repairUs,
      linksChanged: (change) => this.#steps.exchanges.linksChanged(change),
      slotsOf: (fault) => slotsOfFault(fault, machines.layout),
    });
  }

  get phase(): Coordinator["phase"] {
    return this.#coordinator.phase;
  }

  start(): void {
    this.#coordinator.start(this.#context.engine.nowUs);
  }

  /** Nothing but watchdogs is left: whoever waits now waits for them. */
  quiet(isFinal: boolean): void {
    if (this.phase === "running" || isFinal) this.#stuck.look(this.#crew(), isFinal);
  }

  /** What is left of faults anywhere, as machines, links, store and processes have it. */
  lookForFaults(): readonly string[] {
    const { machines, network, storage } = this.#context;
    return [
      ...machines.lookForFaults(),
      ...network.lookForFaults(),
      ...storage.lookForFaults(),
      ...this.#processes.lookForFaults(),
      ...this.#hits.lookForFaults(),
    ];
  }

  #inject(fault: PlannedFault): void {
    const { phase, generation } = this.#coordinator;
    this.#marks.injected(generation > 0 && phase !== "running");
    if (fault.fault === "preempt") this.#marks.noticed();
    if (fault.fault.endsWith("memory")) {
      this.#memory.watch(slotsOfFault(fault, this.#context.machines.layout));
    }
    this.injector.inject(fault);
  }

  /** The coordinator's words, with what only the world knows. */
  #record(event: WithoutTime<JobEvent>): void {
    const { recorder, machines } = this.#context;
    const { loaded } = this.#restores;
    const isDone = event.kind === "restore" && event.phase === "done" && event.tag !== null;
    if (isDone && loaded !== null && loaded.tag === event.tag) {
      const { falseAccept, sameAsSaved } = loaded;
      recorder.record({ ...event, falseAccept, sameAsSaved });
    } else {
      recorder.record(event);
    }
    const last = recorder.events.at(-1);
    if (last !== undefined && last.kind !== "sometimes") this.#marks.see(last);
    if (event.kind === "generation") {
      const { firstSpareSlot } = machines.layout;
      if (this.#coordinator.members.some(({ slot }) => slot >= firstSpareSlot)) {
        this.#marks.usesSpare();
      }
    }
    if (event.kind === "step") this.#memory.sample(event.step, this.#crew());
  }

  /** That of most processes: of the generation that is now. */
  #crew(): Crew | null {
    const { members } = this.#coordinator;
    for (const name of members) {
      const process = this.#processes.of(name);
      if (process?.crew?.generation === this.#coordinator.generation) return process.crew;
    }
    return null;
  }
}

function triggerBoardOf(
  { plan, engine, machines }: JobContext,
  fire: (fault: PlannedFault) => void,
): TriggerBoard {
  return new TriggerBoard({
    engine,
    faults: plan.faults,
    slotsOf: (fault) => {
      const slots = slotsOfFault(fault, machines.layout);
      return slots.length === 0 ? null : new Set(slots);
    },
    fire,
  });
}
