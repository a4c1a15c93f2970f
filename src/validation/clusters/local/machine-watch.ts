import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock, Timer } from "../../../platform/time/clock.ts";
import type { GpuView } from "../../checks/index.ts";

export interface MachineWatchOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly findGpus: (signal: AbortSignal) => Promise<GpuView>;
  /** Runnable threads over the last minute. */
  readonly load: () => number;
  /** After each look. */
  readonly onLook: () => void;
}

/** What was seen of this machine at the last look. */
export interface MachineSight {
  readonly gpus: GpuView;
  readonly load: number;
}

/** Looks at this machine's GPUs and its load, again and again. */
export class MachineWatch {
  readonly #options: MachineWatchOptions;
  readonly #stop = new AbortController();
  #sight: MachineSight | undefined;
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #asked = 0;
  #answered = 0;

  constructor(options: MachineWatchOptions) {
    this.#options = options;
  }

  /** Undefined before the first look. */
  get sight(): MachineSight | undefined {
    return this.#sight;
  }

  /** True while no look has begun and ended since `lookAgain`. */
  get isOutdated(): boolean {
    return this.#answered < this.#asked;
  }

  start(): void {
    this.#looking ??= this.#look();
  }

  /** What was seen so far does not count any more: looks again as soon as possible. */
  lookAgain(): void {
    this.#asked++;
    if (this.#timer === undefined || this.#stop.signal.aborted) return;
    this.#timer.cancel();
    this.#looking = this.#look();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error("the watch over this machine was stopped"));
    this.#timer?.cancel();
    await this.#looking;
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    this.#timer = undefined;
    const { clock, everyMs, load, onLook } = this.#options;
    const asked = this.#asked;
    const gpus = await this.#gpus();
    if (this.#stop.signal.aborted) return;
    this.#answered = asked;
    this.#sight = { gpus, load: load() };
    this.#timer = clock.setTimer(this.isOutdated ? 0 : everyMs, () => {
      this.#looking = this.#look();
    });
    onLook();
  }

  async #gpus(): Promise<GpuView> {
    try {
      return await this.#options.findGpus(this.#stop.signal);
    } catch (error) {
      const models = this.#sight?.gpus.models ?? [];
      return { models, processes: [], problem: messageOf(error) };
    }
  }
}
