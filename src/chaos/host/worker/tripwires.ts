import type { ToRunner, Tripwire } from "../control/messages.ts";

/** What a worker is about to do. */
export type Passage =
  | { readonly kind: "step"; readonly step: number }
  | { readonly kind: "collective"; readonly axis: "dp" | "tp" | "pp"; readonly nth: number }
  | {
      readonly kind: "save";
      readonly phase: "write" | "commit";
      readonly occasion: string;
    }
  | { readonly kind: "restore"; readonly occasion: string };

/** Where this worker halts, tells the runner, and goes on when it is told to. */
export class Tripwires {
  readonly #send: (message: ToRunner) => void;
  readonly #halted = new Map<number, () => void>();
  #armed: readonly Tripwire[];
  #tokens = 0;

  constructor(armed: readonly Tripwire[], send: (message: ToRunner) => void) {
    this.#armed = armed;
    this.#send = send;
  }

  arm(wires: readonly Tripwire[]): void {
    this.#armed = wires;
  }

  /** Settles at once where no wire is. */
  async pass(passage: Passage): Promise<void> {
    // Those that are taken away while it halts at another one are passed by.
    for (const { id } of this.#armed.filter((wire) => isAt(wire, passage))) {
      if (!this.#armed.some((wire) => wire.id === id)) continue;
      const token = this.#tokens++;
      const occasion = "occasion" in passage ? passage.occasion : "";
      const gone = new Promise<void>((resolve) => {
        this.#halted.set(token, resolve);
      });
      this.#send({ type: "tripped", wire: id, token, occasion });
      await gone;
    }
  }

  go(token: number): void {
    this.#halted.get(token)?.();
    this.#halted.delete(token);
  }
}

function isAt({ at }: Tripwire, passage: Passage): boolean {
  switch (at.kind) {
    case "step":
      return passage.kind === "step" && passage.step === at.step;
    case "collective":
      return passage.kind === "collective" && passage.axis === at.axis && passage.nth === at.nth;
    case "save":
      return passage.kind === "save" && passage.phase === at.phase;
    case "restore":
      return passage.kind === "restore";
  }
}
