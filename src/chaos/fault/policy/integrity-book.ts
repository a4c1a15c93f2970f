import type { Integrity, IntegrityOptions, Restored } from "./options.ts";

/** Compares what can be compared, and remembers what came of it. */
export class IntegrityBook<State, T> {
  readonly #options: IntegrityOptions<State, T>;
  readonly #equal: string[] = [];
  readonly #missing: string[] = [];
  #different: string | undefined;

  constructor(options: IntegrityOptions<State, T>) {
    this.#options = options;
  }

  /** A state that is not what was saved is not trained on: the failure goes on instead. */
  async compareRestored({ state, digest }: Restored<State>, failure: Error): Promise<void> {
    const { digestOfState } = this.#options;
    if (digestOfState === undefined) return;
    if (digest === undefined) {
      this.#missing.push("the digest that the restored state was saved with");
      return;
    }
    const found = await digestOfState(state);
    if (found === digest) {
      this.#equal.push("the restored state is what was saved");
      return;
    }
    const text = `The restored state is not what was saved: ${found} instead of ${digest}.`;
    throw new Error(text, { cause: failure });
  }

  async compareResult(value: T): Promise<void> {
    const { digestOfResult, expected } = this.#options;
    if (digestOfResult === undefined) return;
    if (expected === undefined) {
      this.#missing.push("the digest of a run without faults");
      return;
    }
    const found = await digestOfResult(value);
    if (found === expected) this.#equal.push("the result is that of a run without faults");
    else this.#different = `the result is ${found}, and that of a run without faults ${expected}`;
  }

  verdict(): { readonly integrity: Integrity; readonly reason: string } {
    if (this.#different !== undefined) return { integrity: "different", reason: this.#different };
    if (this.#missing.length > 0) {
      return { integrity: "unchecked", reason: `${this.#missing.join(" and ")} was not given` };
    }
    if (this.#equal.length === 0) return { integrity: "unchecked", reason: "nothing was compared" };
    return { integrity: "equal", reason: [...new Set(this.#equal)].join("; ") };
  }
}
