import { bigintCharactersMax, depthMax, joinPath, setOwn } from "./path.ts";

/** What stands in `values` is nothing that `flattenState` writes. */
export class ValuesError extends Error {
  override readonly name = "ValuesError";
  readonly rule: string;

  constructor(rule: string, problem: string) {
    super(problem);
    this.rule = rule;
  }
}

const numbers: ReadonlyMap<unknown, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
]);
const bigintPattern = /^(?:0|-?[1-9][0-9]*)$/;

/**
 * Puts a state together from its values and its tensors. Where `tensorOf` gives undefined, a record has
 * no such key and a list has null.
 *
 * @throws ValuesError naming the place and the rule
 */
export function rebuildState(
  values: unknown,
  tensorOf: (name: string) => unknown,
): Record<string, unknown> {
  if (!isObject(values) || isMark(values)) throw new ValuesError("values", "it is no record");
  return rebuildRecord(values, undefined, { tensorOf, depth: 1 });
}

interface Walk {
  readonly tensorOf: (name: string) => unknown;
  /** Of what is rebuilt next: the members of the state lie at 1. */
  readonly depth: number;
}

function rebuild(node: unknown, path: string, walk: Walk): unknown {
  if (walk.depth > depthMax) {
    throw new ValuesError("values-depth", `${path} lies deeper than ${depthMax}`);
  }
  const below = { ...walk, depth: walk.depth + 1 };
  if (Array.isArray(node)) {
    return node.map((one, at) => rebuild(one, joinPath(path, at), below) ?? null);
  }
  if (!isObject(node)) return node;
  return isMark(node) ? rebuildMark(node, path, walk) : rebuildRecord(node, path, below);
}

function rebuildRecord(
  node: Readonly<Record<string, unknown>>,
  path: string | undefined,
  walk: Walk,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [written, value] of Object.entries(node)) {
    const key = written.startsWith("$") ? written.slice(1) : written;
    const rebuilt = rebuild(value, joinPath(path, key), walk);
    if (rebuilt !== undefined) setOwn(record, key, rebuilt);
  }
  return record;
}

function rebuildMark(
  node: Readonly<Record<string, unknown>>,
  path: string,
  { tensorOf }: Walk,
): unknown {
  const [[mark, value] = ["", undefined], ...more] = Object.entries(node);
  const refuse = () => new ValuesError("values-mark", `${path} has an unknown mark ${mark}`);
  if (more.length > 0) throw refuse();
  if (mark === "$number" && numbers.has(value)) return numbers.get(value);
  if (mark === "$bigint" && isBigint(value)) return BigInt(value);
  if (mark !== "$tensor" || typeof value !== "string") throw refuse();
  if (value === path) return tensorOf(value);
  throw new ValuesError("values-tensor", `${path} names the tensor ${value}`);
}

function isBigint(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= bigintCharactersMax && bigintPattern.test(value)
  );
}

/** A key with one `$` is ours; those of users have two. */
function isMark(node: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(node).some((key) => key.startsWith("$") && !key.startsWith("$$"));
}

function isObject(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
