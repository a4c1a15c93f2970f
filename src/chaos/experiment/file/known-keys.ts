import { experimentJsonSchema } from "../schema/index.ts";

/** The parts of a JSON Schema that say which keys there are. */
interface KeySchema {
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly items?: KeySchema;
  readonly anyOf?: readonly KeySchema[];
  readonly oneOf?: readonly KeySchema[];
  readonly const?: unknown;
}

let root: KeySchema | undefined;

/** The keys that an experiment may have at a place, for suggestions. */
export function keysAt(path: readonly PropertyKey[], value: unknown): readonly string[] {
  root ??= experimentJsonSchema() as KeySchema;
  let schemas: readonly KeySchema[] = alternatives(root, value);
  let part = value;
  for (const step of path) {
    part = (part as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step];
    const below = part;
    schemas = schemas
      .flatMap(({ properties, items }) => {
        const next = typeof step === "number" ? items : properties?.[String(step)];
        return next === undefined ? [] : [next];
      })
      .flatMap((schema) => alternatives(schema, below));
  }
  return [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The branches that a value may mean: where one is named by `kind`, that one alone. */
function alternatives(schema: KeySchema, value: unknown): readonly KeySchema[] {
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches === undefined) return [schema];
  const all = branches.flatMap((branch) => alternatives(branch, value));
  const kind = (value as { readonly kind?: unknown } | null | undefined)?.kind;
  const named = all.filter(({ properties }) => {
    return kind !== undefined && properties?.["kind"]?.const === kind;
  });
  return named.length > 0 ? named : all;
}
