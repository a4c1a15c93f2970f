import type { Coordinator, ToCoordinator, ToWorker, WorkerName } from "../../elastic/index.ts";
import type { EventKind } from "../engine/index.ts";
import type { JobContext } from "./job-context.ts";
import type { SimProcess } from "./sim-process.ts";

const messageBytes = 256;

export interface MailOptions {
  readonly coordinator: () => Coordinator;
  /** The process of a name, while it is alive. */
  readonly processOf: (name: WorkerName) => SimProcess | undefined;
}

interface Letter<Message> {
  readonly name: WorkerName;
  readonly message: Message;
}

/** Messages between the coordinator and workers, over the network and its faults. */
export class Mail {
  readonly #context: JobContext;
  readonly #options: MailOptions;
  readonly #up = new LetterBox<ToCoordinator>();
  readonly #down = new LetterBox<ToWorker>();
  readonly #toCoordinator: EventKind;
  readonly #toWorker: EventKind;

  constructor(context: JobContext, options: MailOptions) {
    const { engine } = context;
    this.#context = context;
    this.#options = options;
    this.#toCoordinator = engine.kind("mail.to-coordinator", (at) => {
      const { name, message } = this.#up.take(at);
      options.coordinator().message(name, message, engine.nowUs);
    });
    this.#toWorker = engine.kind("mail.to-worker", (at) => this.#deliver(this.#down.take(at)));
  }

  toCoordinator(process: SimProcess, message: ToCoordinator): void {
    const at = this.#up.put({ name: process, message });
    const from = process.slot;
    const to = this.#context.network.controller;
    if (!this.#send(from, to, this.#toCoordinator, at)) this.#up.take(at);
  }

  toWorker(name: WorkerName, message: ToWorker): void {
    const at = this.#down.put({ name, message });
    const from = this.#context.network.controller;
    if (!this.#send(from, name.slot, this.#toWorker, at)) this.#down.take(at);
  }

  #send(from: number, to: number, kind: EventKind, a: number): boolean {
    const { network, effects } = this.#context;
    const isWatched = effects.isWatching("links");
    const heldBefore = isWatched ? network.held : 0;
    const isSent = network.send({ from, to, bytes: messageBytes, kind, a });
    if (isWatched && (!isSent || network.held > heldBefore)) {
      effects.sawBetween([from, to], `a message from ${from} to ${to} did not get through`);
    }
    return isSent;
  }

  #deliver(letter: Letter<ToWorker>): void {
    const process = this.#options.processOf(letter.name);
    if (process === undefined) return;
    if (process.isFrozen) {
      const sentence = `a message was not read in slot ${process.slot}`;
      this.#context.effects.saw("frozen", process.slot, sentence);
      process.putOff(() => process.worker.message(letter.message));
      return;
    }
    process.worker.message(letter.message);
  }
}

/** Letters on their way, by a number that events can carry. */
class LetterBox<Message> {
  readonly #letters: (Letter<Message> | undefined)[] = [];
  readonly #free: number[] = [];

  put(letter: Letter<Message>): number {
    const at = this.#free.pop() ?? this.#letters.length;
    this.#letters[at] = letter;
    return at;
  }

  take(at: number): Letter<Message> {
    const letter = this.#letters[at];
    if (letter === undefined) throw new Error("a letter arrives once");
    this.#letters[at] = undefined;
    this.#free.push(at);
    return letter;
  }
}
