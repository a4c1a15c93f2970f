import type { Try } from "../../transport/index.ts";
import type { EventKind } from "../engine/index.ts";
import { never } from "../network/index.ts";
import type { JobContext } from "./job-context.ts";
import type { Link } from "./link-times.ts";

interface LinkWait {
  /** Whose messages nobody has taken yet. */
  links: readonly Link[];
  tried: Try;
  /** `never`: one of the links is cut, so there is no use in trying. */
  dueUs: number;
}

/**
 * Exchanges that met links which take nothing. All their messages are sent at the same moment, and again at
 * the same moments, until each has found its link up, as it then is.
 */
export class LinkWaits<Exchange extends { readonly index: number }> {
  readonly #context: JobContext;
  readonly #passed: (exchange: Exchange) => void;
  readonly #waits = new Map<Exchange, LinkWait>();
  readonly #due: EventKind;

  constructor(
    context: JobContext,
    options: {
      readonly exchangeAt: (index: number) => Exchange | undefined;
      /** The last message has found its link up. */
      readonly passed: (exchange: Exchange) => void;
    },
  ) {
    this.#context = context;
    this.#passed = options.passed;
    this.#due = context.engine.kind("exchange.try", (index) => {
      const exchange = options.exchangeAt(index);
      if (exchange !== undefined) this.#onDue(exchange);
    });
  }

  has(exchange: Exchange): boolean {
    return this.#waits.has(exchange);
  }

  begin(exchange: Exchange, links: readonly Link[]): void {
    const wait = { links, tried: { atUs: this.#context.engine.nowUs, before: 0 }, dueUs: never };
    this.#waits.set(exchange, wait);
    this.#plan(exchange, wait);
  }

  delete(exchange: Exchange): void {
    this.#waits.delete(exchange);
  }

  /** What was done to links is over: who could not try before may now. */
  linksHealed(): void {
    for (const [exchange, wait] of this.#waits) {
      if (wait.dueUs === never) this.#plan(exchange, wait);
    }
  }

  #plan(exchange: Exchange, wait: LinkWait): void {
    const { network, engine } = this.#context;
    wait.dueUs = never;
    const [first] = wait.links;
    const isCut = wait.links.some(({ from, to }) => network.stateOf(from, to).opensUs === never);
    if (first === undefined || isCut) return;
    const next = network.tryAfter(first.from, wait.tried);
    // A broken connection says nothing more; who waits for it has a timeout.
    if (next === null) return;
    wait.tried = next;
    wait.dueUs = next.atUs;
    engine.at(next.atUs, this.#due, exchange.index);
  }

  #onDue(exchange: Exchange): void {
    const { network, engine } = this.#context;
    const wait = this.#waits.get(exchange);
    if (wait?.dueUs !== engine.nowUs) return;
    wait.links = wait.links.filter(({ from, to }) => !network.stateOf(from, to).isOpen);
    if (wait.links.length > 0) {
      this.#plan(exchange, wait);
      return;
    }
    this.#waits.delete(exchange);
    this.#passed(exchange);
  }
}
