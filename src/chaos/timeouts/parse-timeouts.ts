import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap } from "yaml";
import { didYouMean } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { isYamlNestedTooDeeply, yamlTooDeep } from "../../platform/files/index.ts";
import { parseDurationMs, UnitError } from "../../platform/units/index.ts";
import { isTimeoutName, timeoutNames } from "./timeout-names.ts";

export interface TimeoutFile {
  /** Microseconds by name. */
  readonly timeouts: ReadonlyMap<string, number>;
  readonly lineOf: ReadonlyMap<string, number>;
  /** What is not given has the default of experiments. */
  readonly isExperiment: boolean;
  /** The user's own order, from the innermost outwards; empty when none is given. */
  readonly order: readonly string[];
}

const timeoutsMax = 200;

/**
 * The timeouts of a file: the mapping `timeouts` of an experiment or of a file of its own, or a file that
 * is nothing but such a mapping. `order: [a, b, c]` beside it makes rules for names of the user's own.
 *
 * @throws TesseraError E_EXPERIMENT with the line
 */
export function parseTimeouts(yamlText: string, file: string): TimeoutFile {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line || 1;
  const fail = (line: number, problem: string): never => {
    throw new TesseraError("E_EXPERIMENT", { file, place: `line ${line}`, problem });
  };
  if (isYamlNestedTooDeeply(yamlText)) return fail(1, yamlTooDeep);
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false });
  const fault = document.errors[0];
  if (fault !== undefined) return fail(lineAt(fault.pos[0]), `not valid YAML: ${fault.message}`);
  const root = document.contents;
  if (!isMap(root)) return fail(1, "it has no timeouts: a mapping of names to durations is wanted");
  const given = root.get("timeouts", true);
  if (given !== undefined && !isMap(given)) {
    return fail(lineOfNode(given, lineAt), "`timeouts` is a mapping of names to durations");
  }
  const isExperiment = root.has("workload");
  const reader = new TimeoutReader({ lineAt, fail });
  if (given === undefined && isExperiment) return { ...reader.empty(), isExperiment };
  const map = given ?? root;
  const order = reader.order(root);
  for (const pair of map.items) {
    // In a file that is nothing but timeouts, the order stands among them.
    if (map === root && keyOf(pair) === "order") continue;
    reader.take(pair, order);
  }
  return { ...reader.finish(order, lineOfNode(map, lineAt)), isExperiment };
}

interface ReaderOptions {
  readonly lineAt: (offset: number) => number;
  readonly fail: (line: number, problem: string) => never;
}

type Read = Omit<TimeoutFile, "isExperiment">;

class TimeoutReader {
  readonly #options: ReaderOptions;
  readonly #timeouts = new Map<string, number>();
  readonly #lineOf = new Map<string, number>();

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  order(root: YAMLMap): readonly string[] {
    const { fail, lineAt } = this.#options;
    const given = root.get("order", true);
    if (given === undefined) return [];
    if (!isSeq(given)) return fail(lineOfNode(given, lineAt), "`order` is a list of names");
    return given.items.map((item) => {
      const name = isScalar(item) ? String(item.value) : "";
      return name === "" ? fail(lineOfNode(item, lineAt), "`order` is a list of names") : name;
    });
  }

  take(pair: Pair, order: readonly string[]): void {
    const { fail, lineAt } = this.#options;
    const line = lineOfNode(pair.key, lineAt);
    const name = keyOf(pair);
    if (this.#timeouts.size >= timeoutsMax) fail(line, `more than ${timeoutsMax} timeouts`);
    if (!isTimeoutName(name) && !order.includes(name)) {
      const known = [...Object.keys(timeoutNames), ...order];
      const meant = didYouMean(name, known);
      fail(
        line,
        `no rule knows the timeout \`${name}\`${meant}; name it in \`order\`, or take one of ${known.join(", ")}`,
      );
    }
    const value = isScalar(pair.value) ? pair.value.value : undefined;
    if (typeof value !== "string" && typeof value !== "number") {
      fail(line, `\`${name}\` is a duration such as 30s`);
    }
    try {
      this.#timeouts.set(
        name,
        parseDurationMs(value as string | number, { where: `\`${name}\`` }) * 1000,
      );
    } catch (error) {
      if (!(error instanceof UnitError)) throw error;
      fail(line, error.message);
    }
    this.#lineOf.set(name, line);
  }

  empty(): Read {
    return { timeouts: this.#timeouts, lineOf: this.#lineOf, order: [] };
  }

  finish(order: readonly string[], line: number): Read {
    const { fail } = this.#options;
    if (this.#timeouts.size === 0) fail(line, "it has no timeouts");
    const missing = order.find((name) => !this.#timeouts.has(name));
    if (missing !== undefined) fail(line, `\`order\` names \`${missing}\`, which has no value`);
    return { ...this.empty(), order };
  }
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "";
}

function lineOfNode(node: unknown, lineAt: (offset: number) => number): number {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return lineAt(Array.isArray(range) ? Number(range[0]) : 0);
}
