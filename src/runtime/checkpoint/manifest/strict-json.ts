/** A text that is no JSON, or JSON that two readers would understand differently. */
export class StrictJsonError extends Error {
  override readonly name = "StrictJsonError";
  readonly rule: string;

  constructor(rule: string, problem: string) {
    super(problem);
    this.rule = rule;
  }
}

const depthMax = 100;
const quote = 0x22;
const backslash = 0x5c;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const spacePattern = /[ \t\n\r]*/y;

/**
 * Reads JSON as `JSON.parse` does, and refuses what that lets pass: a key that is there twice, a number
 * that would come out as another one, a byte order mark, nesting deeper than 100.
 *
 * @throws StrictJsonError
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const reader = new Reader(textOf(bytes));
  const value = reader.value(0);
  reader.end();
  return value;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new StrictJsonError("utf-8", "it is not UTF-8 text");
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#space();
  }

  value(depth: number): unknown {
    if (depth > depthMax) this.#fail("depth", `it is nested deeper than ${depthMax}`);
    switch (this.#text[this.#at]) {
      case "{":
        return this.#record(depth);
      case "[":
        return this.#list(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail("json", "something follows its end");
  }

  #record(depth: number): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    this.#at++;
    this.#space();
    if (this.#takes("}")) return record;
    for (;;) {
      const key =
        this.#text[this.#at] === '"' ? this.#string() : this.#fail("json", "a key is due");
      if (Object.hasOwn(record, key)) {
        this.#fail("duplicate-key", `the key ${JSON.stringify(key.slice(0, 200))} is there twice`);
      }
      if (!this.#takes(":")) this.#fail("json", "a colon is due");
      const value = this.value(depth + 1);
      // `__proto__` is a key like any other.
      if (key !== "__proto__") record[key] = value;
      else Object.defineProperty(record, key, { value, ...plain });
      if (this.#takes("}")) return record;
      if (!this.#takes(",")) this.#fail("json", "a comma or a brace is due");
    }
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.#at++;
    this.#space();
    if (this.#takes("]")) return list;
    for (;;) {
      list.push(this.value(depth + 1));
      if (this.#takes("]")) return list;
      if (!this.#takes(",")) this.#fail("json", "a comma or a bracket is due");
    }
  }

  #string(): string {
    let end = this.#at + 1;
    // A pattern would need a stack as deep as the text is long.
    for (let code = 0; (code = this.#text.charCodeAt(end)) !== quote; end++) {
      if (Number.isNaN(code)) this.#fail("json", "a text does not end");
      if (code === backslash) end++;
    }
    const quoted = this.#text.slice(this.#at, end + 1);
    try {
      const text = JSON.parse(quoted) as string;
      this.#at = end + 1;
      this.#space();
      return text;
    } catch {
      return this.#fail("json", "a text has a character or an escape that JSON has not");
    }
  }

  #number(): number {
    const text = this.#match(numberPattern) ?? this.#fail("json", "a value is due");
    const number = Number(text);
    // Written as we write it, or it is not the number that it looks like: 2^53 + 1, 1e999, -0.
    if (String(number) !== text) this.#fail("number", `${text.slice(0, 40)} is not exact`);
    return number;
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#fail("json", "a value is due");
    this.#at += word.length;
    this.#space();
    return value;
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    this.#space();
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    this.#space();
    return found;
  }

  #space(): void {
    spacePattern.lastIndex = this.#at;
    spacePattern.test(this.#text);
    this.#at = spacePattern.lastIndex;
  }

  #fail(rule: string, problem: string): never {
    throw new StrictJsonError(rule, `${problem}, at character ${this.#at}`);
  }
}

const plain = { enumerable: true, configurable: true, writable: true };
