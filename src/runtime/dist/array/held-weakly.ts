/**
 * Makes a value when it is asked for, and again only when nobody held the last one. So elements that
 * a rule can make again are no burden: a thousand devices can be read one after the other.
 */
export function heldWeakly<T extends object>(make: () => T): () => T {
  let held: WeakRef<T> | undefined;
  return () => {
    const value = held?.deref() ?? make();
    if (held?.deref() === undefined) held = new WeakRef(value);
    return value;
  };
}
