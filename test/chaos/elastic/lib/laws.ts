import { strict as assert } from "node:assert";
import { stepOfTag, type WorkerName } from "../../../../src/chaos/elastic/index.ts";
import type { JobEvent } from "../../../../src/chaos/record/index.ts";
import type { TinyProcess } from "./tiny-process.ts";
import type { TinyWorld } from "./tiny-world.ts";

/** What must hold in every world, whatever breaks. Worked out from the outside alone. */
export class Laws {
  readonly #world: TinyWorld;
  readonly #incarnations = new Map<number, number>();
  readonly #committed = new Set<number>();
  #generation = 0;
  /** The generation whose members must not train any more. */
  #endedGeneration = 0;
  #step = 0;
  #restoring: number | null = null;
  #isPaused = false;
  #end: string | null = null;
  restarts = 0;

  constructor(world: TinyWorld) {
    this.#world = world;
  }

  started(worker: WorkerName): void {
    const before = this.#incarnations.get(worker.slot) ?? 0;
    assert.equal(worker.incarnation, before + 1, "incarnations count up by one");
    assert(
      !this.#world.processes.has(worker.slot),
      "a slot is used again before its process ended",
    );
    assert.equal(this.#end, null, "nothing is started after the end");
    this.#incarnations.set(worker.slot, worker.incarnation);
  }

  /** A worker begins a step. */
  began(process: TinyProcess, step: number): void {
    const { generation } = process.worker;
    assert(generation > this.#endedGeneration, `a step of generation ${generation} after its end`);
    assert(step <= this.#world.setup.worker.steps, "no step is done after the last");
  }

  check(): void {
    const { coordinator, processes } = this.#world;
    assert(coordinator.generation >= this.#generation, "generations count up");
    const slots = coordinator.members.map(({ slot }) => slot);
    assert.equal(new Set(slots).size, slots.length, "a slot is one rank of a generation");
    if (coordinator.phase !== "running") return;
    // Everybody has joined: nobody is left in an older generation.
    for (const { worker, name } of processes.values()) {
      const isMember = coordinator.members.some(
        (member) => member.slot === name.slot && member.incarnation === name.incarnation,
      );
      if (isMember) assert.equal(worker.generation, coordinator.generation);
      else assert(["idle", "drained", "done"].includes(worker.phase), `a ${worker.phase} stranger`);
    }
  }

  recorded(event: JobEvent): void {
    assert.equal(this.#end, null, `${event.kind} after the end`);
    switch (event.kind) {
      case "generation":
        this.#beginGeneration(event);
        return;
      case "step":
        assert.equal(event.generation, this.#generation);
        assert.equal(event.step, this.#step + 1, "steps are recorded in order, once");
        this.#step = event.step;
        return;
      case "save":
        if (event.phase !== "committed") return;
        assert(event.step <= this.#step, "a checkpoint is of a step that was recorded");
        this.#committed.add(event.step);
        for (const old of this.#oldest()) this.#committed.delete(old);
        return;
      case "restore":
        this.#restore(event);
        return;
      case "isolate":
        this.#endedGeneration = this.#world.coordinator.generation;
        this.#stopped();
        return;
      case "pause":
        this.#isPaused = true;
        return;
      case "resume":
        assert(this.#isPaused, "only who paused goes on");
        this.#isPaused = false;
        return;
      case "finish":
      case "give-up":
        this.#end = event.kind;
        if (event.kind === "finish") this.#finished(event.stateDigest);
        return;
      default:
    }
  }

  #beginGeneration(event: Extract<JobEvent, { kind: "generation" }>): void {
    const { coordinator } = this.#world.setup;
    assert(event.generation > this.#generation, "generation numbers rise");
    assert.equal(event.ranks, event.dp * coordinator.shape.tp * coordinator.shape.pp);
    assert.equal(coordinator.batch % event.dp, 0, "the batch divides");
    // Some may never have been agreed upon.
    this.restarts = event.generation - 1;
    assert(this.restarts <= coordinator.policy.restartsMax, "no more recoveries than allowed");
    this.#generation = event.generation;
    if (event.generation === 1) this.#step = 0;
  }

  #restore(event: Extract<JobEvent, { kind: "restore" }>): void {
    if (event.phase === "begun") {
      const newest = [...this.#committed].toSorted((a, b) => a - b).at(-1) ?? null;
      assert.equal(
        event.tag === null ? null : stepOfTag(event.tag),
        newest,
        "the newest is chosen",
      );
      this.#restoring = event.step;
      this.#step = event.step;
    } else {
      assert.equal(event.step, this.#restoring, "what ends was begun");
      if (event.phase === "refused") this.#committed.delete(event.step);
    }
  }

  /** At `isolate` nobody of the generation works any more, and who was lost is dead. */
  #stopped(): void {
    for (const { worker, name } of this.#world.processes.values()) {
      assert(
        ["idle", "drained", "done"].includes(worker.phase),
        `slot ${name.slot} still is ${worker.phase} when everybody has stopped`,
      );
    }
  }

  #finished(digest: string): void {
    const { steps } = this.#world.setup.worker;
    assert.equal(digest, `state-${steps}`, "the state is that of a run without faults");
    assert.equal(this.#step, steps, "all steps were recorded");
  }

  #oldest(): readonly number[] {
    const { keep } = this.#world.setup.coordinator;
    return [...this.#committed].toSorted((a, b) => a - b).slice(0, -keep);
  }
}
