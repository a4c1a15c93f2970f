import fc from "fast-check";

/** The part of JSON Schema that the API's description uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Definitions = Readonly<Record<string, JsonSchema>>;

const depthMax = 6;

/**
 * Values that a schema lets through, or nearly: patterns and lengths are kept where they are cheap.
 * `pool` holds texts that mean something to the server: names and identifiers it has shown.
 */
export function valuesOf(
  schema: JsonSchema,
  about: { readonly definitions: Definitions; readonly pool: readonly string[] },
  depth = 0,
): fc.Arbitrary<unknown> {
  if (depth > depthMax) return fc.constant(null);
  const inner = (one: JsonSchema) => valuesOf(one, about, depth + 1);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return inner(about.definitions[name] ?? {});
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches !== undefined) return fc.oneof(...branches.map(inner));
  switch (typeof schema.type === "string" ? schema.type : schema.type?.[0]) {
    case "object":
      return objectsOf(schema, inner);
    case "array": {
      const items = typeof schema.items === "object" ? schema.items : {};
      const minLength = schema.minItems ?? 0;
      const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? 4, 4));
      return fc.array(inner(items), { minLength, maxLength });
    }
    case "string":
      return textsOf(schema, about.pool);
    case "integer":
      return fc.integer(rangeOf(schema));
    case "number":
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(
  schema: JsonSchema,
  inner: (one: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, inner(property)] as const,
  );
  const requiredKeys = (schema.required ?? []).filter((name) => name in (schema.properties ?? {}));
  const known = fc.record(Object.fromEntries(fields), { requiredKeys });
  if (typeof schema.additionalProperties !== "object") return known;
  const more = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }),
    inner(schema.additionalProperties),
    {
      maxKeys: 3,
    },
  );
  return fc.tuple(more, known).map(([one, other]) => Object.assign({}, one, other));
}

function textsOf(schema: JsonSchema, pool: readonly string[]): fc.Arbitrary<string> {
  if (schema.format === "date-time") {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  }
  if (schema.pattern !== undefined) {
    try {
      const matching = fc.stringMatching(new RegExp(schema.pattern));
      return pool.length === 0 ? matching : fc.oneof(matching, fc.constantFrom(...pool));
    } catch {
      // A pattern with parts that the generator does not know: then any text.
    }
  }
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxLength ?? 40, 40));
  const free = fc.string({ minLength, maxLength });
  return pool.length === 0 ? free : fc.oneof(free, fc.constantFrom(...pool));
}

function rangeOf({ minimum, maximum }: JsonSchema): { min: number; max: number } {
  const min = Math.max(minimum ?? -1000, Number.MIN_SAFE_INTEGER);
  return { min, max: Math.max(min, Math.min(maximum ?? 100_000, Number.MAX_SAFE_INTEGER)) };
}
