import { createHash } from "node:crypto";
import { sha256 } from "../reshard/index.ts";

const leafBytes = 1024 * 1024;
const leavesAtOnce = 32;

/** The digest of a tensor whose bytes come in order, in parts of any length; equal to `digestOf`. */
export class StreamDigest {
  readonly #root = createHash("sha256").update(Uint8Array.of(0x01));
  /** The byte 0x00, and the block so far; as long as the longest so far, for most tensors are short. */
  #leaf = new Uint8Array(1);
  #filled = 0;
  readonly #leaves: Promise<string>[] = [];

  constructor(dtype: string, shape: readonly number[]) {
    this.#root.update(`tessera tensor 1 ${dtype} [${shape.join(",")}]\n`);
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + leafBytes - this.#filled);
      this.#make(1 + this.#filled + part.length);
      this.#leaf.set(part, 1 + this.#filled);
      this.#filled += part.length;
      done += part.length;
      if (this.#filled === leafBytes) await this.#close();
    }
  }

  /** `sha256:…`; nothing may be added after this. */
  async digest(): Promise<string> {
    if (this.#filled > 0) await this.#close();
    await this.#fold();
    return `sha256:${this.#root.digest("hex")}`;
  }

  #make(room: number): void {
    if (this.#leaf.length >= room) return;
    const longer = new Uint8Array(Math.min(1 + leafBytes, 2 * room));
    longer.set(this.#leaf);
    this.#leaf = longer;
  }

  async #close(): Promise<void> {
    this.#leaves.push(sha256(this.#leaf.subarray(0, 1 + this.#filled)));
    this.#filled = 0;
    if (this.#leaves.length >= leavesAtOnce) await this.#fold();
  }

  async #fold(): Promise<void> {
    for (const leaf of await Promise.all(this.#leaves)) this.#root.update(Buffer.from(leaf, "hex"));
    this.#leaves.length = 0;
  }
}
