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
      const name = this.#up.nameOf(at);
      options.coordinator().message(name, this.#up.take(at), engine.nowUs);
    });
    this.#toWorker = engine.kind("mail.to-worker", (at) => {
      const name = this.#down.nameOf(at);
      this.#deliver(name, this.#down.take(at));
    });
  }

  toCoordinator(process: SimProcess, message: ToCoordinator): void {
    const at = this.#up.put(process, message);
    const from = process.slot;
    const to = this.#context.network.controller;
    if (!this.#send(from, to, this.#toCoordinator, at)) this.#up.take(at);
  }

  toWorker(name: WorkerName, message: ToWorker): void {
    const at = this.#down.put(name, message);
    const from = this.#context.network.controller;
    if (!this.#send(from, name.slot, this.#toWorker, at)) this.#down.take(at);
  }

  #send(from: number, to: number, kind: EventKind, a: number): boolean {
    const { network, effects } = this.#context;
    const isWatched = effects.isWatching("links");
    const heldBefore = isWatched ? network.held : 0;
    const isSent = network.send(from, to, messageBytes, kind, a);
    if (isWatched && (!isSent || network.held > heldBefore)) {
      effects.sawBetween([from, to], `a message from ${from} to ${to} did not get through`);
    }
    return isSent;
  }

  #deliver(name: WorkerName, message: ToWorker): void {
    const process = this.#options.processOf(name);
    if (process === undefined) return;
    if (process.isFrozen) {
      const sentence = `a message was not read in slot ${process.slot}`;
      this.#context.effects.saw("frozen", process.slot, sentence);
      process.putOff(() => process.worker.message(message));
      return;
    }
    process.worker.message(message);
  }
}

/** Letters on their way, by a number that events can carry. */
class LetterBox<Message> {
  readonly #names: WorkerName[] = [];
  readonly #messages: (Message | undefined)[] = [];
  readonly #free: number[] = [];

  /** @param name who sent it, or who is to get it */
  put(name: WorkerName, message: Message): number {
    const at = this.#free.pop() ?? this.#messages.length;
    this.#names[at] = name;
    this.#messages[at] = message;
    return at;
  }

  nameOf(at: number): WorkerName {
    return this.#names[at] as WorkerName;
  }

  take(at: number): Message {
    const message = this.#messages[at];
    if (message === undefined) throw new Error("a letter arrives once");
    this.#messages[at] = undefined;
    this.#free.push(at);
    return message;
  }
}
