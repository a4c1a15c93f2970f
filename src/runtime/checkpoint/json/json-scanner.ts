import { scanNumber } from "./json-number.ts";
import { type JsonString, scanString, textOf } from "./json-string.ts";

/** Bytes of the text's structure. */
export const mark = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** What a text can break that is read as JSON. */
export type JsonRule = "json" | "json-depth" | "json-string" | "json-number";

export interface ScannedText {
  /** From the start of the file on, so that places in it are places in the file. */
  readonly bytes: Uint8Array;
  /** Where the text begins and before where it ends. It is valid UTF-8. */
  readonly start: number;
  readonly end: number;
  /** How deep objects and lists may lie in each other, so that no reader runs out of stack. */
  readonly depthMax: number;
}

/**
 * Walks over JSON in bytes, once and forwards, by the rules of serde_json, with which the reference
 * implementation of safetensors reads: RFC 8259, and no half of a surrogate pair. Builds nothing but
 * the strings and numbers that are asked for.
 */
export abstract class JsonScanner {
  #at: number;
  #depth = 0;
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #depthMax: number;

  constructor({ bytes, start, end, depthMax }: ScannedText) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#end = end;
    this.#depthMax = depthMax;
  }

  /** Refuses the text, at the place that was reached or at another one. */
  abstract fail(rule: JsonRule, problem: string, position?: number): never;

  /** The byte that was reached, counted from the start of the file. */
  get position(): number {
    return this.#at;
  }

  /** The next byte that is no white space; -1 at the end. */
  peek(): number {
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
      this.#at++;
    }
    return -1;
  }

  /** Goes into the list or object that begins here. */
  enter(): void {
    if (this.#depth === this.#depthMax) {
      this.fail("json-depth", `more than ${this.#depthMax} levels`);
    }
    this.#depth++;
    this.#at++;
  }

  /** True when another member or element follows; goes out of the list or object when none does. */
  more(close: number, isFirst: boolean): boolean {
    let byte = this.peek();
    if (byte === close) {
      this.#at++;
      this.#depth--;
      return false;
    }
    if (!isFirst) {
      if (byte !== mark.comma)
        this.fail("json", "a comma or the end of a list or object is missing");
      this.#at++;
      byte = this.peek();
    }
    if (byte === -1) this.fail("json", "the text ends too early");
    if (close === mark.closeObject && byte !== mark.quote) this.fail("json", "a key is missing");
    return true;
  }

  /** The string that begins here. */
  string(): string {
    const start = this.#at;
    return textOf(this.#bytes, start, this.#passString());
  }

  /** A key, and the colon after it. */
  key(): string {
    const key = this.string();
    this.#passColon();
    return key;
  }

  /** A whole number from 0 to 2^64 - 1, a bigint above 2^53; undefined when another value stands here. */
  unsigned(): number | bigint | undefined {
    const byte = this.peek();
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) return undefined;
    const { end, value } = scanNumber(this.#bytes, this.#at, this.#end);
    if (value === "malformed") this.fail("json-number", "this is no number");
    if (value === "range") this.fail("json-number", "the number is too large");
    if (value === "other") return undefined;
    this.#at = end;
    return value;
  }

  /** The number that begins here, as it is written. */
  numberText(): string {
    const byte = this.peek();
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) {
      this.fail("json", byte === -1 ? "the text ends too early" : "no JSON value");
    }
    const start = this.#at;
    const { end, value } = scanNumber(this.#bytes, start, this.#end);
    if (value === "malformed") this.fail("json-number", "this is no number");
    this.#at = end;
    return this.#bytes.toString("latin1", start, end);
  }

  /** Goes over `null` when it stands here. */
  isNull(): boolean {
    if (this.peek() !== 0x6e) return false;
    this.word("null");
    return true;
  }

  /** Goes over a word that has to stand here. */
  word(word: "true" | "false" | "null"): void {
    const end = this.#at + word.length;
    if (end > this.#end || this.#bytes.toString("latin1", this.#at, end) !== word) {
      this.fail("json", `this is not ${word}`);
    }
    this.#at = end;
  }

  /** Goes over one value of any kind, and checks it. */
  skip(): void {
    const byte = this.peek();
    if (byte === mark.quote) this.#passString();
    else if (byte === mark.openObject) this.#skipObject();
    else if (byte === mark.openList) this.#skipList();
    else if (byte === 0x74) this.word("true");
    else if (byte === 0x66) this.word("false");
    else if (byte === 0x6e) this.word("null");
    else this.#skipNumber(byte);
  }

  #skipObject(): void {
    this.enter();
    for (let isFirst = true; this.more(mark.closeObject, isFirst); isFirst = false) {
      this.#passString();
      this.#passColon();
      this.skip();
    }
  }

  #skipList(): void {
    this.enter();
    for (let isFirst = true; this.more(mark.closeList, isFirst); isFirst = false) this.skip();
  }

  #skipNumber(byte: number): void {
    if (byte !== 0x2d && (byte < 0x30 || byte > 0x39)) {
      this.fail("json", byte === -1 ? "the text ends too early" : "no JSON value");
    }
    const { end, value } = scanNumber(this.#bytes, this.#at, this.#end);
    if (value === "malformed") this.fail("json-number", "this is no number");
    if (value === "range") this.fail("json-number", "the number is too large");
    this.#at = end;
  }

  #passString(): JsonString {
    const found = scanString(this.#bytes, this.#at, this.#end);
    if (found.problem !== undefined) this.fail("json-string", found.problem, found.end);
    this.#at = found.end;
    return found;
  }

  #passColon(): void {
    if (this.peek() !== mark.colon) this.fail("json", "a colon is missing after a key");
    this.#at++;
  }
}
