import {
  type Assignment,
  createWorker,
  type ToCoordinator,
  type ToWorker,
  type TroubleCause,
  type Worker,
  type WorkerName,
} from "../../../../src/chaos/elastic/index.ts";
import type { TinyWorld } from "./tiny-world.ts";

/** A worker and the process around it: what it holds, what it is in, whether it still runs. */
export class TinyProcess {
  readonly name: WorkerName;
  readonly worker: Worker;
  isAlive = true;
  frozenUntilUs = 0;
  /** Its own computing does not end, while all else goes on. */
  hungUntilUs = 0;
  assignment: Assignment | null = null;
  step = 0;
  /** Wrong bits that no other replica has; below 0, no number at all. */
  corruption = 0;
  /** Operations begun with an older number were cancelled. */
  era = 0;
  readonly #world: TinyWorld;

  constructor(world: TinyWorld, name: WorkerName) {
    this.#world = world;
    this.name = name;
    this.worker = createWorker(world.setup.worker, {
      send: (message) => world.toCoordinator(this, message),
      join: (assignment) => {
        this.assignment = assignment;
        world.exchange(this, "join", () => this.worker.joined());
      },
      restore: (tag) => world.load(this, tag),
      step: () => this.#step(),
      save: (tag) => world.save(this, tag),
      compare: () => this.#compare(),
      cancel: () => {
        this.era++;
        world.forget(this);
      },
      exit: () => world.die(this, "exit 0"),
    });
    this.worker.start();
    this.#beat();
  }

  get rank(): number {
    return this.assignment?.rank ?? -1;
  }

  get peers(): number {
    return this.assignment?.members.length ?? 0;
  }

  digest(): string {
    return `state-${this.step}${this.corruption === 0 ? "" : `-wrong-${this.corruption}`}`;
  }

  receive(message: ToWorker): void {
    this.worker.message(message);
  }

  /** Does it when it is neither dead, nor cancelled, nor frozen. */
  later(delayUs: number, act: () => void): void {
    const { era } = this;
    const attempt = (): void => {
      if (!this.isAlive || era !== this.era) return;
      if (this.frozenUntilUs === Number.POSITIVE_INFINITY) return;
      if (this.frozenUntilUs > this.#world.queue.nowUs) {
        this.#world.queue.at(this.frozenUntilUs, attempt);
        return;
      }
      act();
      this.#world.check();
    };
    this.#world.queue.after(delayUs, attempt);
  }

  /** What it is in ends badly. */
  fail(cause: TroubleCause, suspects: readonly number[]): void {
    this.era++;
    this.#world.forget(this);
    this.worker.troubled(cause, suspects, "it broke");
  }

  #step(): void {
    const world = this.#world;
    const step = this.step + 1;
    world.began(this, step);
    const hungUs = Math.max(0, this.hungUntilUs - world.queue.nowUs);
    if (hungUs === Number.POSITIVE_INFINITY) return;
    this.later(hungUs + world.dice.between(200, 900), () => {
      world.exchange(this, `step ${step}`, (peers) => {
        if (peers.some((peer) => peer.corruption < 0)) {
          this.fail("numerics", []);
          return;
        }
        this.step = step;
        const samples = [(step - 1) * 8, step * 8] as const;
        const news = { step, units: 8, samples, loss: 1 / step };
        this.worker.stepped(news, () => this.digest());
      });
    });
  }

  #compare(): void {
    const world = this.#world;
    world.exchange(this, `compare ${this.step}`, (peers) => {
      const wrong = peers.filter((peer) => peer.corruption !== 0).map((peer) => peer.rank);
      if (wrong.length === 0) this.worker.compared();
      else {
        const suspects = wrong.length * 2 < peers.length ? wrong : [];
        this.fail("comparison", suspects);
      }
    });
  }

  #beat(): void {
    const beat = (): void => {
      if (!this.isAlive) return;
      const { generation, step, phase } = this.worker;
      const message: ToCoordinator = { type: "heartbeat", generation, step, phase };
      if (this.frozenUntilUs <= this.#world.queue.nowUs) this.#world.toCoordinator(this, message);
      this.#world.queue.after(this.#world.setup.coordinator.timeouts.heartbeatEveryUs, beat);
    };
    this.#world.queue.after(this.#world.dice.int(1000), beat);
  }
}
