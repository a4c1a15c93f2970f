import { isUtf8 } from "node:buffer";
import { type JsonRule, JsonScanner, mark } from "./json-scanner.ts";

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
const wholePattern = /^-?[0-9]+$/;

/**
 * Reads JSON as `JSON.parse` does, and refuses what that lets pass: a key that is there twice, a number
 * that would come out as another one, half a surrogate pair, a byte order mark, nesting deeper than 100.
 *
 * @throws StrictJsonError
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new StrictJsonError("utf-8", "it is not UTF-8 text");
  const scanner = new ValueScanner({ bytes, start: 0, end: bytes.length, depthMax });
  const value = scanner.value();
  if (scanner.peek() !== -1) scanner.fail("json", "something follows its end");
  return value;
}

/** Builds what it walks over. */
class ValueScanner extends JsonScanner {
  override fail(
    rule: JsonRule | "duplicate-key",
    problem: string,
    position = this.position,
  ): never {
    throw new StrictJsonError(rule, `${problem}, at byte ${position}`);
  }

  value(): unknown {
    switch (this.peek()) {
      case mark.openObject:
        return this.#record();
      case mark.openList:
        return this.#list();
      case mark.quote:
        return this.string();
      case 0x74:
        this.word("true");
        return true;
      case 0x66:
        this.word("false");
        return false;
      case 0x6e:
        this.word("null");
        return null;
      default:
        return this.#number();
    }
  }

  #record(): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    this.enter();
    for (let isFirst = true; this.more(mark.closeObject, isFirst); isFirst = false) {
      const start = this.position;
      const key = this.key();
      if (Object.hasOwn(record, key)) {
        const problem = `the key ${JSON.stringify(key.slice(0, 200))} is there twice`;
        this.fail("duplicate-key", problem, start);
      }
      const value = this.value();
      // `__proto__` is a key like any other.
      if (key !== "__proto__") record[key] = value;
      else Object.defineProperty(record, key, { value, ...plain });
    }
    return record;
  }

  #list(): unknown[] {
    const list: unknown[] = [];
    this.enter();
    for (let isFirst = true; this.more(mark.closeList, isFirst); isFirst = false) {
      list.push(this.value());
    }
    return list;
  }

  /** Every reader takes a fraction for the nearest double; of whole numbers some keep all digits. */
  #number(): number {
    const start = this.position;
    const text = this.numberText();
    const number = Number(text);
    const isExact = wholePattern.test(text) ? String(number) === text : Number.isFinite(number);
    if (!isExact || Object.is(number, -0)) {
      this.fail("json-number", `${text.slice(0, 40)} is not exact`, start);
    }
    return number;
  }
}

const plain = { enumerable: true, configurable: true, writable: true };
