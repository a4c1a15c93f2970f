import assert from "node:assert/strict";

/**
 * The first byte at which a text is not `JSON.stringify(value, null, indent)` with a line feed after it;
 * undefined when it is. It ends at the first difference and writes nothing down: what a small text says
 * can be many times as long when it is indented.
 *
 * @param value JSON, nested at most `depthMax` deep
 */
export function firstDifference(
  bytes: Uint8Array,
  value: unknown,
  { indent }: { readonly indent: number },
): number | undefined {
  const text = new ExpectedText(bytes, indent);
  const isSame = text.value(value, 0) && text.takes("\n") && text.isAtEnd;
  return isSame ? undefined : text.at;
}

const depthMax = 128;

class ExpectedText {
  readonly #bytes: Uint8Array;
  /** What stands before a member or element at each depth. */
  readonly #breaks: readonly string[];
  readonly #colon: string;
  /** Everything before is as expected. */
  at = 0;

  constructor(bytes: Uint8Array, indent: number) {
    this.#bytes = bytes;
    const lineOf = (depth: number) => (indent === 0 ? "" : `\n${" ".repeat(indent * depth)}`);
    this.#breaks = Array.from({ length: depthMax + 2 }, (_, depth) => lineOf(depth));
    this.#colon = indent === 0 ? ":" : ": ";
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  value(value: unknown, depth: number): boolean {
    assert(depth <= depthMax, "what was read is not deeper than readers go");
    if (typeof value === "string") return this.#string(value);
    if (typeof value !== "object" || value === null) return this.takes(String(value));
    const below = depth + 1;
    if (Array.isArray(value)) {
      const element = (one: unknown) => this.value(one, below);
      return this.#members("[]", value, { depth, member: element });
    }
    const member = ([key, one]: readonly [string, unknown]) =>
      this.#string(key) && this.takes(this.#colon) && this.value(one, below);
    return this.#members("{}", Object.entries(value), { depth, member });
  }

  /** Goes on over these characters; false, and at the first that is another, when they are not there. */
  takes(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.#bytes[this.at] !== text.charCodeAt(index)) return false;
      this.at++;
    }
    return true;
  }

  #members<Member>(
    [open = "", close = ""]: string,
    members: readonly Member[],
    { depth, member }: { readonly depth: number; readonly member: (one: Member) => boolean },
  ): boolean {
    if (!this.takes(open)) return false;
    for (const [index, one] of members.entries()) {
      if (index > 0 && !this.takes(",")) return false;
      if (!this.takes(this.#breaks[depth + 1] as string) || !member(one)) return false;
    }
    return (members.length === 0 || this.takes(this.#breaks[depth] as string)) && this.takes(close);
  }

  #string(text: string): boolean {
    const quoted = JSON.stringify(text);
    const isAscii = quoted.length === Buffer.byteLength(quoted);
    // As a text of its bytes, one character each, which is what is compared.
    return this.takes(isAscii ? quoted : Buffer.from(quoted).toString("latin1"));
  }
}
