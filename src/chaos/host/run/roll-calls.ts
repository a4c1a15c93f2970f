import type { Timer } from "../../../platform/time/index.ts";
import type { WorkerName } from "../../elastic/index.ts";
import type { ToHostWorker, Where } from "../control/messages.ts";
import { suspectsOf } from "./roll-call.ts";

export interface RollCallsOptions {
  readonly send: (worker: WorkerName, message: ToHostWorker) => void;
  readonly after: (delayUs: number, callback: () => void) => Timer;
}

/** How long ranks may take to say where they are. */
const answerUs = 500_000;

/** Asks all ranks where they are when one of them waits in vain. */
export class RollCalls {
  readonly #o: RollCallsOptions;
  readonly #open = new Map<number, (slot: number, where: Where) => void>();
  #calls = 0;

  constructor(options: RollCallsOptions) {
    this.#o = options;
  }

  answer(slot: number, call: number, where: Where): void {
    this.#open.get(call)?.(slot, where);
  }

  /** Asks, and tells who asked whom to suspect. */
  async call(members: readonly WorkerName[], asker: WorkerName, askerCall: number): Promise<void> {
    const answers = await this.#answers(members);
    const rank = members.findIndex(({ slot }) => slot === asker.slot);
    const suspects = rank < 0 ? [] : suspectsOf(answers, rank);
    this.#o.send(asker, { type: "suspects", call: askerCall, suspects });
  }

  /** By rank; undefined: none came in time. */
  async #answers(members: readonly WorkerName[]): Promise<readonly (Where | undefined)[]> {
    const call = this.#calls++;
    const answers: (Where | undefined)[] = members.map(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = this.#o.after(answerUs, resolve);
      let missing = members.length;
      this.#open.set(call, (slot, where) => {
        const rank = members.findIndex((member) => member.slot === slot);
        if (rank < 0 || answers[rank] !== undefined) return;
        answers[rank] = where;
        missing--;
        if (missing > 0) return;
        timer.cancel();
        resolve();
      });
      for (const member of members) this.#o.send(member, { type: "where", call });
    });
    this.#open.delete(call);
    return answers;
  }
}
