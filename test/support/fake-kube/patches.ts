type Json = unknown;
type JsonObject = Record<string, Json>;

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

/** A patch that does not fit the object; `status` is what a server answers. */
export class PatchError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** RFC 7386. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** How lists of the API are merged, by the name of their field; others are replaced. */
const mergeKeys: Readonly<Record<string, string>> = {
  conditions: "type",
  containers: "name",
  initContainers: "name",
  env: "name",
  volumes: "name",
  volumeMounts: "mountPath",
  tolerations: "key",
};

/** The strategic merge patch of Kubernetes, for the lists that have a key; `$patch: delete` too. */
export function strategicPatch(target: Json, patch: Json, field = ""): Json {
  if (Array.isArray(patch)) return strategicList(target, patch, field);
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) continue;
    if (value === null) delete result[key];
    else result[key] = strategicPatch(result[key], value, key);
  }
  return result;
}

function strategicList(target: Json, patch: readonly Json[], field: string): Json {
  const key = mergeKeys[field];
  if (key === undefined) return patch;
  const result: Json[] = Array.isArray(target) ? [...target] : [];
  for (const item of patch) {
    if (!isObject(item)) continue;
    const at = result.findIndex((each) => isObject(each) && each[key] === item[key]);
    if (item["$patch"] === "delete") {
      if (at !== -1) result.splice(at, 1);
    } else if (at === -1) result.push(strategicPatch({}, item));
    else result[at] = strategicPatch(result[at], item);
  }
  return result;
}

/** RFC 6902. All of it or nothing: a failed `test` is a 422 as the API server answers it. */
export function jsonPatch(target: Json, operations: readonly Operation[]): Json {
  let root = structuredClone(target);
  const write = (path: string, change: (parent: Json, key: string) => void) => {
    const parts = parse(path);
    const key = parts.pop();
    if (key === undefined) throw new PatchError(422, "the root cannot be patched here");
    change(walk(root, parts), key);
  };
  for (const { op, path, from, value } of operations) {
    if (op === "test") {
      const found = read(root, path);
      if (JSON.stringify(sorted(found)) !== JSON.stringify(sorted(value)))
        throw new PatchError(422, `testing path ${path} failed`);
    } else if (op === "remove") write(path, removeAt);
    else if (op === "add") write(path, (parent, key) => addAt(parent, key, value));
    else if (op === "replace") {
      if (read(root, path) === undefined) throw new PatchError(422, `${path} is missing`);
      write(path, (parent, key) => setAt(parent, key, value));
    } else if (op === "copy" || op === "move") {
      const moved = structuredClone(read(root, from ?? ""));
      if (op === "move") write(from ?? "", removeAt);
      write(path, (parent, key) => addAt(parent, key, moved));
    } else throw new PatchError(400, `no operation ${op}`);
    root = structuredClone(root);
  }
  return root;
}

function parse(path: string): string[] {
  if (path === "") return [];
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function read(root: Json, path: string): Json {
  let at: Json = root;
  for (const part of parse(path)) {
    if (Array.isArray(at)) at = at[Number(part)];
    else if (isObject(at)) at = at[part];
    else return undefined;
  }
  return at;
}

function walk(root: Json, parts: readonly string[]): Json {
  let at: Json = root;
  for (const part of parts) {
    at = Array.isArray(at) ? at[Number(part)] : isObject(at) ? at[part] : undefined;
    if (at === undefined) throw new PatchError(422, `${part} is missing`);
  }
  return at;
}

function removeAt(parent: Json, key: string): void {
  if (Array.isArray(parent)) {
    if (Number(key) >= parent.length) throw new PatchError(422, `${key} is missing`);
    parent.splice(Number(key), 1);
  } else if (isObject(parent) && key in parent) delete parent[key];
  else throw new PatchError(422, `${key} is missing`);
}

function addAt(parent: Json, key: string, value: Json): void {
  if (!Array.isArray(parent)) setAt(parent, key, value);
  else if (key === "-") parent.push(value);
  else parent.splice(Number(key), 0, value);
}

function setAt(parent: Json, key: string, value: Json): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else if (isObject(parent)) parent[key] = value;
  else throw new PatchError(422, `${key} has no parent`);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
