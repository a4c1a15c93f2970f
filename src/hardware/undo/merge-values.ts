import { isDeepStrictEqual } from "node:util";
import { isFields } from "../workload/json-pointer.ts";

/** One value at three moments; undefined: there was nothing. */
export interface ThreeValues {
  readonly before: unknown;
  /** What we put there. */
  readonly applied: unknown;
  readonly current: unknown;
}

export interface MergedValue {
  /** As if we had never changed it; undefined: nothing shall be there. */
  readonly value: unknown;
  /** Where somebody changed what we had put there: it stays. */
  readonly left: readonly string[];
}

/**
 * Takes our change out of a value. What still is what we put there becomes what it was; what others
 * changed since stays. Objects are merged field by field, and lists of named things (variables,
 * volumes, mounts, containers) by name, so that others' additions stay beside.
 *
 * @param where for messages: the JSON pointer of the value
 */
export function mergeValue(values: ThreeValues, where: string): MergedValue {
  const { before, applied, current } = values;
  if (isDeepStrictEqual(applied, before)) return { value: current, left: [] };
  if (isDeepStrictEqual(current, applied)) return { value: before, left: [] };
  if (isDeepStrictEqual(current, before)) return { value: current, left: [] };
  if (current === undefined)
    return { value: undefined, left: [`${where} was removed by somebody else`] };
  if (applied !== undefined && areLists(values)) return mergeList(values, where);
  if (applied !== undefined && areObjects(values)) return mergeObject(values, where);
  return { value: current, left: [`${where} was changed by somebody else`] };
}

function mergeObject({ before, applied, current }: ThreeValues, where: string): MergedValue {
  const [was, ours, now] = [fieldsOf(before), fieldsOf(applied), fieldsOf(current)];
  const left: string[] = [];
  const fields = [...new Set([...Object.keys(now), ...Object.keys(was)])].flatMap((key) => {
    const merged = mergeValue(
      { before: own(was, key), applied: own(ours, key), current: own(now, key) },
      `${where}/${key}`,
    );
    left.push(...merged.left);
    return merged.value === undefined ? [] : [[key, merged.value] as const];
  });
  const empty = fields.length === 0 && before === undefined;
  return { value: empty ? undefined : Object.fromEntries(fields), left };
}

/** A field of its own: every object has a constructor. */
function own(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function mergeList(values: ThreeValues, where: string): MergedValue {
  const was = listOf(values.before);
  const ours = listOf(values.applied);
  const now = listOf(values.current);
  const key = keyOf([was, ours, now]);
  const merged =
    key === undefined ? mergePlain(was, ours, now) : mergeNamed({ was, ours, now }, key, where);
  const empty = merged.value.length === 0 && values.before === undefined;
  return { value: empty ? undefined : merged.value, left: merged.left };
}

interface MergedList {
  readonly value: readonly unknown[];
  readonly left: readonly string[];
}

/** Without names, what we added is known only by being the same; what we removed comes back at the end. */
function mergePlain(
  was: readonly unknown[],
  ours: readonly unknown[],
  now: readonly unknown[],
): MergedList {
  const added = ours.filter((one) => !includes(was, one));
  const removed = was.filter((one) => !includes(ours, one));
  const kept = now.filter((one) => !includes(added, one));
  return { value: [...kept, ...removed.filter((one) => !includes(kept, one))], left: [] };
}

function mergeNamed(
  { was, ours, now }: Readonly<Record<"was" | "ours" | "now", readonly unknown[]>>,
  key: string,
  where: string,
): MergedList {
  const nameOf = (one: unknown) => {
    const name = fieldsOf(one)[key];
    return typeof name === "string" ? name : "";
  };
  const find = (list: readonly unknown[], name: string) => list.find((one) => nameOf(one) === name);
  const left: string[] = [];
  const value: unknown[] = now.flatMap<unknown>((current) => {
    const name = nameOf(current);
    const merged = mergeElement(
      { before: find(was, name), applied: find(ours, name), current },
      `${where}/${name}`,
    );
    left.push(...merged.left);
    return merged.value === undefined ? [] : [merged.value];
  });
  for (const [index, one] of was.entries()) {
    const name = nameOf(one);
    const weRemoved = find(ours, name) === undefined && find(now, name) === undefined;
    if (!weRemoved) continue;
    const behind = was.slice(0, index).toReversed().map(nameOf);
    const after = behind.map((each) => value.findIndex((other) => nameOf(other) === each));
    value.splice((after.find((at) => at !== -1) ?? -1) + 1, 0, one);
  }
  return { value, left };
}

/** One that we added is ours as a whole, or somebody else's as a whole once they changed it. */
function mergeElement(values: ThreeValues, where: string): MergedValue {
  const { before, applied, current } = values;
  const changed = before === undefined && applied !== undefined;
  if (!changed || isDeepStrictEqual(applied, current)) return mergeValue(values, where);
  return { value: current, left: [`${where} was changed by somebody else`] };
}

/**
 * What the elements of a list are told apart by: every one has it, and no two of one list share it.
 * Mounts are known by their path: one volume may be mounted twice.
 */
function keyOf(lists: readonly (readonly unknown[])[]): string | undefined {
  return ["mountPath", "name", "key"].find((key) =>
    lists.every((list) => {
      const names = list.map((one) => fieldsOf(one)[key]);
      return (
        names.every((name) => typeof name === "string") && new Set(names).size === names.length
      );
    }),
  );
}

function areLists({ before, applied, current }: ThreeValues): boolean {
  const isList = (value: unknown) => value === undefined || Array.isArray(value);
  return isList(before) && isList(applied) && Array.isArray(current);
}

function areObjects({ before, applied, current }: ThreeValues): boolean {
  const isObject = (value: unknown) => value === undefined || isFields(value);
  return isObject(before) && isObject(applied) && isFields(current);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function includes(list: readonly unknown[], one: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(other, one));
}
