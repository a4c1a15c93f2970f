import { types } from "node:util";
import { errorFields } from "./error-fields.ts";
import { mask, redact } from "./redact-text.ts";
import { isSecretKey } from "./secret-keys.ts";

export interface RedactValueOptions {
  /** How deep objects are followed. @default 8 */
  readonly depthMax?: number;
  /** How many values are looked at in all. @default 5000 */
  readonly valuesMax?: number;
}

interface Walk {
  readonly depthMax: number;
  valuesLeft: number;
  /** The objects above the current one, to notice circles. */
  readonly above: Set<object>;
}

/**
 * A copy of any value, fit for JSON, without secrets: texts go through `redact`, what stands under a
 * telling name (`password`, `clientKeyData`) is masked whatever it is, Kubernetes Secrets lose their
 * data. Errors become plain values with their causes. Deep, wide and circular values are cut. Pure;
 * never throws.
 */
export function redactValue(value: unknown, options: RedactValueOptions = {}): unknown {
  return visit(value, newWalk(options));
}

/** The same for the fields of a log record, which are always an object. */
export function redactFields(fields: object): Record<string, unknown> {
  return visitEntries(Object.entries(fields), newWalk({}));
}

function newWalk(options: RedactValueOptions): Walk {
  const { depthMax = 8, valuesMax = 5000 } = options;
  return { depthMax, valuesLeft: valuesMax, above: new Set() };
}

function visit(value: unknown, walk: Walk): unknown {
  if (walk.valuesLeft-- <= 0) return "[left out]";
  if (typeof value === "string") return redact(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (walk.above.has(value)) return "[circular]";
  if (walk.above.size >= walk.depthMax) return "[deeper levels left out]";
  walk.above.add(value);
  try {
    return visitObject(value, walk);
  } catch {
    return "[unreadable]"; // A getter or toJSON that throws.
  } finally {
    walk.above.delete(value);
  }
}

function visitObject(value: object, walk: Walk): unknown {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value))
    return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return visitEntries(Object.entries(errorFields(value)), walk);
  if (value instanceof Map) {
    return visitEntries(
      [...value].map(([key, entry]) => [String(key), entry] as const),
      walk,
    );
  }
  if (value instanceof Set) return visitArray([...value], walk);
  if (Array.isArray(value)) return visitArray(value, walk);
  if ("toJSON" in value && typeof value.toJSON === "function") return visit(value.toJSON(), walk);
  return visitEntries(Object.entries(value), walk);
}

function visitArray(items: readonly unknown[], walk: Walk): unknown[] {
  const seen: unknown[] = [];
  for (const [at, item] of items.entries()) {
    if (walk.valuesLeft <= 0) {
      seen.push(`[${items.length - at} more left out]`);
      break;
    }
    seen.push(followsSecretFlag(items[at - 1], item) ? mask : visit(item, walk));
  }
  return seen;
}

/** `["--token", "x"]`: arguments of a program, with the value in an argument of its own. */
function followsSecretFlag(before: unknown, item: unknown): boolean {
  return (
    typeof before === "string" &&
    typeof item === "string" &&
    /^--?[\w-]+$/.test(before) &&
    isSecretKey(before)
  );
}

function visitEntries(
  entries: readonly (readonly [string, unknown])[],
  walk: Walk,
): Record<string, unknown> {
  const fields = new Map(entries);
  const masksAll = fields.get("kind") === "Secret";
  const name = fields.get("name");
  // `{ name: "DB_PASSWORD", value: "x" }`: an environment variable or a header.
  const masksValue = typeof name === "string" && isSecretKey(name);
  const seen: [string, unknown][] = [];
  for (const [key, entry] of entries) {
    if (walk.valuesLeft <= 0) {
      seen.push(["…", `[${entries.length - seen.length} more left out]`]);
      break;
    }
    const secret =
      isSecretKey(key) ||
      (masksAll && (key === "data" || key === "stringData")) ||
      (masksValue && key === "value");
    seen.push([redact(key), secret && mayBeSecret(key, entry) ? mask : visit(entry, walk)]);
  }
  return Object.fromEntries(seen);
}

/** Nothing, yes or no, and a count of a model's tokens are no secrets, and knowing them helps. */
function mayBeSecret(key: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return false;
  if (typeof value === "number" && /tokens$/i.test(key)) return false;
  return value !== "";
}
