/** Remembers results by what they were made for and the very objects they were made from. */
export type ShareMemo = <T extends object>(
  what: string,
  inputs: readonly object[],
  make: () => T,
) => T;

/** For one step: it holds on to everything it made. */
export function createShareMemo(): ShareMemo {
  const numbers = new Map<object, number>();
  const made = new Map<string, object>();
  const numberOf = (input: object): number => {
    const number = numbers.get(input) ?? numbers.size;
    numbers.set(input, number);
    return number;
  };
  return <T extends object>(what: string, inputs: readonly object[], make: () => T): T => {
    const key = JSON.stringify([what, ...inputs.map(numberOf)]);
    // Only `make` for the same `what` puts something there.
    const result = (made.get(key) as T | undefined) ?? make();
    made.set(key, result);
    return result;
  };
}
