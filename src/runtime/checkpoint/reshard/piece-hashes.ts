import { createHash, type Hash } from "node:crypto";
import { sha256 } from "./sha256.ts";

/**
 * The SHA-256 of each piece of a chunk, from bytes that come in order, in runs of any length. Pieces
 * that lie whole in a run are hashed in libuv's pool, those that are cut by its ends as they come.
 */
export class PieceHashes {
  readonly #lengths: readonly number[];
  readonly #hashes: string[] = [];
  #cut: { readonly hash: Hash; left: number } | undefined;
  #begun = 0;

  /** @param lengths of the pieces, in bytes and in order */
  constructor(lengths: readonly number[]) {
    this.#lengths = lengths;
  }

  /** The next bytes; they may change once this has resolved. */
  async add(bytes: Uint8Array): Promise<void> {
    const pooled: Promise<void>[] = [];
    for (let done = 0; done < bytes.length; ) {
      const length = this.#cut?.left ?? this.#lengths[this.#begun];
      if (length === undefined) throw new Error("there are more bytes than pieces");
      const part = bytes.subarray(done, done + length);
      done += part.length;
      if (this.#cut === undefined && part.length === length) {
        const at = this.#begun++;
        pooled.push(sha256(part).then((hash) => void (this.#hashes[at] = hash)));
      } else {
        this.#addCut(part, length);
      }
    }
    await Promise.all(pooled);
  }

  /** In hex, of every piece. @throws when bytes are missing */
  all(): readonly string[] {
    if (this.#cut !== undefined || this.#begun < this.#lengths.length) {
      throw new Error(`${this.#begun} of ${this.#lengths.length} pieces came`);
    }
    return this.#hashes;
  }

  #addCut(part: Uint8Array, length: number): void {
    this.#cut ??= { hash: createHash("sha256"), left: length };
    this.#cut.hash.update(part);
    this.#cut.left -= part.length;
    if (this.#cut.left > 0) return;
    this.#hashes[this.#begun++] = this.#cut.hash.digest("hex");
    this.#cut = undefined;
  }
}
