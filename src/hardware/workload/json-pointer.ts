/** A JSON object whose fields nobody vouches for. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `/spec/template` of RFC 6901; a name may hold any character. */
export function pointerTo(base: string, ...names: readonly (string | number)[]): string {
  return [base, ...names.map((name) => escapeName(String(name)))].join("/");
}

/** The names of a pointer, from the outside in. */
export function pointerNames(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What is there; undefined: nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const name of pointerNames(pointer)) {
    if (Array.isArray(at)) at = /^\d+$/.test(name) ? at[Number(name)] : undefined;
    else at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/** A copy with this value there, or with nothing there for undefined; objects above it are made. */
export function withValueAt<T>(root: T, pointer: string, value: unknown): T {
  return setAt(root, pointerNames(pointer), value) as T;
}

function setAt(at: unknown, names: readonly string[], value: unknown): unknown {
  const [name, ...below] = names;
  if (name === undefined) return value;
  if (Array.isArray(at)) {
    return at.map((item, index) => (index === Number(name) ? setAt(item, below, value) : item));
  }
  const fields = isFields(at) ? at : {};
  const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const { [name]: _old, ...others } = fields;
  if (below.length === 0 && value === undefined) return others;
  return { ...fields, [name]: setAt(inner, below, value) };
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
