/** Adds a value to those under a key. */
export function put<T>(index: Map<string, T[]>, key: string, value: T): void {
  const there = index.get(key);
  if (there === undefined) index.set(key, [value]);
  else there.push(value);
}
