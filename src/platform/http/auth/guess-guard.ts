import { AcceptedSecrets } from "../rate-limit/accepted-secrets.ts";
import type { RateLimiter } from "../rate-limit/rate-limiter.ts";
import type { Authenticator } from "./caller.ts";

type Found = Awaited<ReturnType<Authenticator["identify"]>>;

/**
 * Stops asking the authenticator for an address after too many tokens that are not good: in a cluster each costs
 * calls to its API server. What is cheap to look up is looked up in any case.
 */
export class GuessGuard {
  readonly #authenticator: Authenticator;
  readonly #limiter: RateLimiter;
  readonly #accepted = new AcceptedSecrets();
  /** Questions under way: a page that asks for many things at once presents one token, not many. */
  readonly #asked = new Map<string, Promise<Found>>();

  constructor(options: { readonly authenticator: Authenticator; readonly limiter: RateLimiter }) {
    this.#authenticator = options.authenticator;
    this.#limiter = options.limiter;
  }

  /** @throws TesseraError E_RATE_LIMITED, and whatever the authenticator throws */
  async identify(secret: string, address: string): Promise<Found> {
    const key = `${address} ${secret}`;
    const asked = this.#asked.get(key) ?? this.#ask(secret, address);
    this.#asked.set(key, asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(key);
    }
  }

  #ask(secret: string, address: string): Promise<Found> {
    return this.#accepted.has(secret)
      ? this.#askAgain(secret, address)
      : this.#guess(secret, address);
  }

  /** What was good a moment ago is looked up without a limit, and counted only if it no longer is. */
  async #askAgain(secret: string, address: string): Promise<Found> {
    const found = await this.#authenticator.identify(secret);
    if (typeof found === "string") {
      this.#accepted.delete(secret);
      this.#limiter.use("failed-tokens", address);
    }
    return found;
  }

  /** Counted before it is asked, so that many at once are no more than many in a row. */
  async #guess(secret: string, address: string): Promise<Found> {
    const known = await this.#authenticator.identifyCheaply?.(secret);
    if (known !== undefined) {
      this.#accepted.add(secret);
      return known;
    }
    this.#limiter.use("failed-tokens", address);
    let isGuess = false;
    try {
      const found = await this.#authenticator.identify(secret);
      isGuess = typeof found === "string";
      if (!isGuess) this.#accepted.add(secret);
      return found;
    } finally {
      if (!isGuess) this.#limiter.giveBack("failed-tokens", address);
    }
  }
}
