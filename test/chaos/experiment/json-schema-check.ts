/**
 * A JSON Schema validator of our own for tests, apart from the library that made the schema: it knows the
 * keywords of experiment files and throws at any other, so that none is passed over in silence.
 */
interface Schema {
  readonly [keyword: string]: unknown;
}

const silent = new Set(["$schema", "$id", "title", "description", "default", "propertyNames"]);

/** Every place where a value does not fit, as `path: keyword`. */
export function misfits(schema: Schema, value: unknown, path = ""): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, wanted]) => {
    if (silent.has(keyword)) return [];
    const rule = rules[keyword];
    if (rule === undefined) throw new Error(`${path}: the keyword ${keyword} is not known here`);
    return rule({ wanted, value, path, schema });
  });
}

interface Check {
  readonly wanted: unknown;
  readonly value: unknown;
  readonly path: string;
  readonly schema: Schema;
}

type Rule = (check: Check) => readonly string[];

const fits = (schema: unknown, value: unknown) => misfits(schema as Schema, value).length === 0;
const unless = (keyword: string, isFine: (check: Check) => boolean): Rule => {
  return (check) => (isFine(check) ? [] : [`${check.path}: ${keyword}`]);
};
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isOf = (type: unknown, value: unknown) => {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
};
const sizeOf = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);

const rules: Readonly<Record<string, Rule>> = {
  type: unless("type", ({ wanted, value }) => [wanted].flat().some((one) => isOf(one, value))),
  const: unless("const", ({ wanted, value }) => value === wanted),
  enum: unless("enum", ({ wanted, value }) => (wanted as readonly unknown[]).includes(value)),
  pattern: unless("pattern", ({ wanted, value }) => {
    return typeof value !== "string" || new RegExp(wanted as string, "u").test(value);
  }),
  format: unless("format", ({ wanted, value }) => {
    return wanted !== "uri" || (typeof value === "string" && URL.canParse(value));
  }),
  minLength: unless("minLength", ({ wanted, value }) => {
    return typeof value !== "string" || value.length >= (wanted as number);
  }),
  maxLength: unless("maxLength", ({ wanted, value }) => {
    return typeof value !== "string" || value.length <= (wanted as number);
  }),
  minimum: unless(
    "minimum",
    ({ wanted, value }) => typeof value !== "number" || value >= (wanted as number),
  ),
  maximum: unless(
    "maximum",
    ({ wanted, value }) => typeof value !== "number" || value <= (wanted as number),
  ),
  exclusiveMinimum: unless("exclusiveMinimum", ({ wanted, value }) => {
    return typeof value !== "number" || value > (wanted as number);
  }),
  minItems: unless("minItems", ({ wanted, value }) => {
    return !Array.isArray(value) || value.length >= (wanted as number);
  }),
  maxItems: unless("maxItems", ({ wanted, value }) => {
    return !Array.isArray(value) || value.length <= (wanted as number);
  }),
  minProperties: unless(
    "minProperties",
    ({ wanted, value }) => (sizeOf(value) ?? 1e9) >= (wanted as number),
  ),
  maxProperties: unless(
    "maxProperties",
    ({ wanted, value }) => (sizeOf(value) ?? 0) <= (wanted as number),
  ),
  anyOf: unless("anyOf", ({ wanted, value }) => {
    return (wanted as readonly Schema[]).some((one) => fits(one, value));
  }),
  oneOf: unless("oneOf", ({ wanted, value }) => {
    return (wanted as readonly Schema[]).filter((one) => fits(one, value)).length === 1;
  }),
  required: ({ wanted, value, path }) =>
    (wanted as readonly string[])
      .filter((key) => isObject(value) && value[key] === undefined)
      .map((key) => `${path}/${key}: required`),
  items: ({ wanted, value, path }) =>
    Array.isArray(value)
      ? value.flatMap((item, at) => misfits(wanted as Schema, item, `${path}/${at}`))
      : [],
  properties: ({ wanted, value, path }) =>
    Object.entries(wanted as Readonly<Record<string, Schema>>).flatMap(([key, schema]) =>
      isObject(value) && value[key] !== undefined
        ? misfits(schema, value[key], `${path}/${key}`)
        : [],
    ),
  additionalProperties: ({ wanted, value, path, schema }) => {
    if (!isObject(value)) return [];
    const named = Object.keys(schema["properties"] ?? {});
    const others = Object.entries(value).filter(([key]) => !named.includes(key));
    if (wanted === false) return others.map(([key]) => `${path}/${key}: additionalProperties`);
    return others.flatMap(([key, one]) => misfits(wanted as Schema, one, `${path}/${key}`));
  },
};
