/** Where a process ends: at its n-th call of a port, before the call has its effect or after. */
export interface Death {
  readonly atCall: number;
  readonly how: "before" | "after";
}

/** Whether a simulated process lives. Nothing that a dead one does has any effect. */
export class Life {
  calls = 0;
  /** Nothing moves any more once this call has had its effect; until `resume`. */
  pauseAtCall = 0;
  #death: Death | undefined;
  readonly #onDeath: () => void;
  #isAlive = true;
  #pause: Promise<void> | undefined;
  #resume: (() => void) | undefined;

  constructor(death: Death | undefined, onDeath: () => void) {
    this.#death = death;
    this.#onDeath = onDeath;
  }

  get isAlive(): boolean {
    return this.#isAlive && this.#pause === undefined;
  }

  /** It does not die any more. */
  spare(): void {
    this.#death = undefined;
  }

  end(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#onDeath();
  }

  /** From now on nothing moves, as in a process that was stopped. */
  pause(): void {
    this.#pause = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resume(): void {
    this.#pause = undefined;
    this.#resume?.();
  }

  /** Makes a call that this process may not survive. The promise of a dead one never settles. */
  async call<T>(work: () => Promise<T>): Promise<T> {
    const call = ++this.calls;
    const isLast = call === this.#death?.atCall;
    if (isLast && this.#death?.how === "before") this.end();
    if (!this.#isAlive) return await never();
    const outcome = await settled(work);
    if (isLast) this.end();
    if (call === this.pauseAtCall) this.pause();
    await this.#pause;
    if (!this.#isAlive) return await never();
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** An object all of whose methods named here are such calls. */
  bind<T extends object>(target: T, methods: readonly (keyof T & string)[]): T {
    return new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        if (!methods.some((method) => method === name)) return member.bind(object);
        return (...args: readonly unknown[]) =>
          this.call(async () => await Reflect.apply(member, object, args));
      },
    });
  }
}

async function settled<T>(work: () => Promise<T>): Promise<{ value: T } | { error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
