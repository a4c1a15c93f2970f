import { createHash } from "node:crypto";

/**
 * Secrets that were good a moment ago, by their digests. Whoever shares an address with a stranger
 * that guesses tokens is still let in with these.
 */
export class AcceptedSecrets {
  readonly #max: number;
  readonly #digests = new Set<string>();

  constructor(max = 4096) {
    this.#max = max;
  }

  has(secret: string): boolean {
    return this.#digests.has(digestOf(secret));
  }

  add(secret: string): void {
    const digest = digestOf(secret);
    this.#digests.delete(digest);
    this.#digests.add(digest);
    for (const oldest of this.#digests) {
      if (this.#digests.size <= this.#max) break;
      this.#digests.delete(oldest);
    }
  }

  delete(secret: string): void {
    this.#digests.delete(digestOf(secret));
  }
}

function digestOf(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("base64url");
}
