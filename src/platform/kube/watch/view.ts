import type { KubeObject } from "../types.ts";

/** A change of the view, told to subscribers in order. */
export type ViewChange<T> =
  | { readonly type: "added"; readonly key: string; readonly object: T }
  | { readonly type: "updated"; readonly key: string; readonly object: T; readonly previous: T }
  | { readonly type: "deleted"; readonly key: string; readonly object: T };

/** What is kept of an object, and how to recognise it again. */
export interface ViewItem<T> {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: T;
}

/** `namespace/name`, or `name` for objects without a namespace. */
export function objectKey(metadata: {
  readonly namespace?: string;
  readonly name?: string;
}): string {
  const name = metadata.name ?? "";
  return metadata.namespace === undefined ? name : `${metadata.namespace}/${name}`;
}

/** Reduces an object to what the view keeps. */
export function viewItem<Source extends KubeObject, T>(
  object: Source,
  project: (object: Source) => T,
): ViewItem<T> {
  const { metadata } = object;
  return {
    key: objectKey(metadata),
    uid: metadata.uid ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    object: project(object),
  };
}

/** The objects of one kind as last heard of. Pure bookkeeping: says what each step changed. */
export class View<T> {
  readonly #objects = new Map<string, T>();
  readonly #identities = new Map<
    string,
    { readonly uid: string; readonly resourceVersion: string }
  >();

  get objects(): ReadonlyMap<string, T> {
    return this.#objects;
  }

  /** Takes over a whole list; what is missing in it was deleted while nobody watched. */
  replace(items: readonly ViewItem<T>[]): ViewChange<T>[] {
    const listed = new Set(items.map((item) => item.key));
    const gone = [...this.#objects.keys()].filter((key) => !listed.has(key));
    return [...gone.flatMap((key) => this.delete(key)), ...items.flatMap((item) => this.set(item))];
  }

  /** An object was made or changed. One made anew under an old name counts as deleted and added. */
  set(item: ViewItem<T>): ViewChange<T>[] {
    const { key, uid, resourceVersion, object } = item;
    const known = this.#identities.get(key);
    const previous = this.#objects.get(key) as T;
    if (known?.uid === uid && known.resourceVersion === resourceVersion) return [];
    this.#objects.set(key, object);
    this.#identities.set(key, { uid, resourceVersion });
    if (known === undefined) return [{ type: "added", key, object }];
    if (known.uid === uid) return [{ type: "updated", key, object, previous }];
    return [
      { type: "deleted", key, object: previous },
      { type: "added", key, object },
    ];
  }

  delete(key: string): ViewChange<T>[] {
    const object = this.#objects.get(key) as T;
    if (!this.#objects.delete(key)) return [];
    this.#identities.delete(key);
    return [{ type: "deleted", key, object }];
  }
}
