/** A promise and the two ways to settle it. */
export interface Outcome<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

const unset = (): void => undefined;

/** Whoever cares about a failure awaits the promise; no one has to. */
export function createOutcome<T>(): Outcome<T> {
  let resolve: Outcome<T>["resolve"] = unset;
  let reject: Outcome<T>["reject"] = unset;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
