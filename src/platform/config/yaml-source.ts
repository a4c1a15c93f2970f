import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { messageOf } from "../errors/index.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../files/index.ts";
import { describeValue } from "./describe-issue.ts";
import type { Problems } from "./problems.ts";
import { isSection, type Section } from "./setting.ts";
import { describeUnknownKey } from "./unknown-key.ts";

/** A value of the file with its line. */
export interface FileValue {
  readonly value: unknown;
  readonly line: number;
  /** The line of a part of it, by the keys and positions that lead there. */
  readonly lineAt: (path: readonly PropertyKey[]) => number;
}

// Aliases may save some typing; a file that expands into thousands of values is an attack.
const aliasCountMax = 100;

export interface ReadYamlOptions {
  /** The file's name for people. */
  readonly file: string;
  readonly root: Section;
  readonly problems: Problems;
}

/**
 * Reads the text of a configuration file against the sections it may have. Returns the values by
 * key; everything that is wrong with the file's form goes to `problems`.
 */
export function readYaml(text: string, options: ReadYamlOptions): ReadonlyMap<string, FileValue> {
  if (isYamlNestedTooDeeply(text)) {
    options.problems.add({ name: options.file, line: 1 }, () => yamlTooDeep);
    return new Map();
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // Our own check for duplicates names the key, and takes no quadratic time.
    uniqueKeys: false,
  });
  return new YamlReader(document, lines, options).read();
}

class YamlReader {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #options: ReadYamlOptions;
  readonly #values = new Map<string, FileValue>();

  constructor(document: Document.Parsed, lines: LineCounter, options: ReadYamlOptions) {
    this.#document = document;
    this.#lines = lines;
    this.#options = options;
  }

  read(): ReadonlyMap<string, FileValue> {
    const { errors, warnings, contents } = this.#document;
    const faults = [...errors, ...warnings];
    // The first of a line; others there mostly follow from it.
    const faultsOfLines = new Map(
      faults.toReversed().map((fault) => [this.#lineAt(fault.pos[0]), fault]),
    );
    for (const [line, { code, message }] of faultsOfLines) {
      this.#problem(line, () => describeFault(code, message));
    }
    // What a parser makes of broken text would only produce follow-up problems.
    if (faults.length > 0) return this.#values;
    this.#refuseDuplicates(contents);
    this.#readRoot(contents);
    return this.#values;
  }

  #readRoot(contents: unknown): void {
    if (isEmpty(contents)) return;
    if (!isMap(contents)) {
      this.#problem(this.#lineOf(contents), () => {
        return `the file must be a list of \`key: value\` lines, not ${describeValue(this.#toJs(contents))}`;
      });
      return;
    }
    this.#readSection(contents, this.#options.root, []);
  }

  #readSection(map: YAMLMap, section: Section, path: readonly string[]): void {
    for (const pair of map.items) {
      const name = keyName(pair);
      const line = this.#lineOf(pair.key);
      if (name === undefined) {
        this.#problem(line, () => "a key must be a word");
        continue;
      }
      const key = [...path, name].join(".");
      const item = Object.hasOwn(section.items, name) ? section.items[name] : undefined;
      if (item === undefined) this.#problem(line, () => describeUnknownKey(key));
      else if (isSection(item)) this.#readSubsection(pair, item, [...path, name]);
      else this.#readValue(pair, key, line);
    }
  }

  #readSubsection(pair: Pair, section: Section, path: readonly string[]): void {
    const value = this.#resolve(pair.value);
    if (isEmpty(value)) return;
    if (isMap(value)) {
      this.#readSection(value, section, path);
      return;
    }
    const line = this.#lineOf(pair.key);
    this.#problem(line, () => {
      return `\`${path.join(".")}\` must be a group of keys, got ${describeValue(this.#toJs(value))}`;
    });
  }

  #readValue(pair: Pair, key: string, line: number): void {
    const value = this.#toJs(pair.value);
    if (value instanceof Error) this.#problem(line, () => `\`${key}\`: ${value.message}`);
    else if (value === null) {
      this.#problem(line, () => `\`${key}\` has no value; give it one or remove the line`);
    } else {
      const lineAt = (path: readonly PropertyKey[]) => this.#lineOfPart(pair, path);
      this.#values.set(key, { value, line, lineAt });
    }
  }

  /** The line of a part of a value; of the nearest part around it that is there. */
  #lineOfPart(pair: Pair, path: readonly PropertyKey[]): number {
    let line = this.#lineOf(pair.key);
    let node = this.#resolve(pair.value);
    for (const step of path) {
      if (isMap(node)) {
        const inner = node.items.find((item) => keyName(item) === step);
        if (inner === undefined) return line;
        line = this.#lineOf(inner.key);
        node = this.#resolve(inner.value);
      } else if (isSeq(node) && typeof step === "number") {
        const item = node.items[step];
        if (item === undefined) return line;
        line = this.#lineOf(item);
        node = this.#resolve(item);
      } else return line;
    }
    return line;
  }

  #refuseDuplicates(root: unknown): void {
    const open: unknown[] = [root];
    while (open.length > 0) {
      const node = open.pop();
      if (!isCollection(node)) continue;
      if (isMap(node)) this.#refuseDuplicatesOf(node);
      for (const item of node.items) open.push(isMap(node) ? (item as Pair).value : item);
    }
  }

  #refuseDuplicatesOf(map: YAMLMap): void {
    const firstLines = new Map<string, number>();
    for (const pair of map.items) {
      const name = keyName(pair);
      const line = this.#lineOf(pair.key);
      const first = name === undefined ? undefined : firstLines.get(name);
      if (name !== undefined && first === undefined) firstLines.set(name, line);
      if (first !== undefined) {
        this.#problem(line, () => `the key \`${name}\` was already given in line ${first}`);
      }
    }
  }

  /** The node behind an alias. */
  #resolve(node: unknown): unknown {
    return isAlias(node) ? (node.resolve(this.#document) ?? node) : node;
  }

  /** The plain value of a node, or an error that says why it has none. */
  #toJs(node: unknown): unknown {
    if (node === null) return null;
    try {
      return (node as Node).toJS(this.#document, { maxAliasCount: aliasCountMax });
    } catch (error) {
      const problem = messageOf(error);
      return new Error(
        problem.includes("Excessive alias count")
          ? "its aliases expand into too many values"
          : lowerFirst(problem),
      );
    }
  }

  #lineOf(node: unknown): number {
    const range = (node as Node | null)?.range;
    return this.#lineAt(range?.[0] ?? 0);
  }

  #lineAt(offset: number): number {
    return this.#lines.linePos(offset).line || 1;
  }

  #problem(line: number, text: () => string): void {
    this.#options.problems.add({ name: this.#options.file, line }, text);
  }
}

function keyName(pair: Pair): string | undefined {
  return isScalar(pair.key) && typeof pair.key.value === "string" ? pair.key.value : undefined;
}

/** No value at all: a heading with nothing below it, a file of comments. */
function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

const faults: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "a tab is used to indent; YAML wants spaces",
  MULTIPLE_DOCS: "the file must hold one document; remove what follows `---`",
};

function describeFault(code: string, message: string): string {
  return faults[code] ?? `this is not valid YAML: ${lowerFirst(message)}`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
