import { isDeepStrictEqual } from "node:util";
import { isFields } from "./json-pointer.ts";

/** One value at three moments. */
interface ThreeValues {
  /** Undefined: there was nothing. */
  readonly before: unknown;
  readonly applied: unknown;
  readonly current: unknown;
}

/** The value as it would be had we never changed it: ours goes, what others did since stays. */
export function takeOut({ before, applied, current }: ThreeValues): unknown {
  if (isDeepStrictEqual(current, applied)) return before;
  if (Array.isArray(applied) && Array.isArray(current)) {
    const list = takeOutOfList(Array.isArray(before) ? before : [], applied, current);
    return list.length === 0 && before === undefined ? undefined : list;
  }
  if (!isFields(applied) || !isFields(current)) return current;
  const then = isFields(before) ? before : {};
  const fields = Object.entries(current).flatMap(([name, value]) => {
    if (!Object.hasOwn(applied, name)) return [[name, value] as const];
    const left = takeOut({ before: then[name], applied: applied[name], current: value });
    return left === undefined ? [] : [[name, left] as const];
  });
  return fields.length === 0 && before === undefined ? undefined : Object.fromEntries(fields);
}

function takeOutOfList(
  before: readonly unknown[],
  applied: readonly unknown[],
  current: readonly unknown[],
): readonly unknown[] {
  const ours = applied.filter((one) => !includes(before, one));
  return current.flatMap((one) => {
    if (!includes(ours, one)) return [one];
    const name = nameOf(one);
    return before.filter((old) => name !== undefined && nameOf(old) === name);
  });
}

function includes(list: readonly unknown[], one: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(other, one));
}

function nameOf(element: unknown): unknown {
  return isFields(element) ? element["name"] : undefined;
}
