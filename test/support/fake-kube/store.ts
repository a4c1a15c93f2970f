/** An object as the fake server keeps it. */
export interface StoredObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    generateName?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export interface StoredEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  readonly collection: string;
  readonly object: StoredObject;
  /** As it was before; absent for a new one. A watch with a selector needs it. */
  readonly previous?: StoredObject;
}

/** `namespace/name` or `name`. */
export function storedKey(object: StoredObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What a server keeps: objects by collection (`/api/v1/nodes`), one revision for all, and the past. */
export class Store {
  revision = 100;
  readonly #collections = new Map<string, Map<string, StoredObject>>();
  readonly #log: StoredEvent[] = [];
  readonly #listeners = new Set<(event: StoredEvent) => void>();
  #uids = 0;

  collection(path: string): ReadonlyMap<string, StoredObject> {
    return this.#collection(path);
  }

  get(path: string, key: string): StoredObject | undefined {
    return this.#collection(path).get(key);
  }

  put(path: string, given: StoredObject, nowMs: number): StoredObject {
    const objects = this.#collection(path);
    const previous = objects.get(storedKey(given));
    this.revision++;
    const { metadata } = given;
    const specChanged =
      previous !== undefined && JSON.stringify(previous["spec"]) !== JSON.stringify(given["spec"]);
    const object: StoredObject = {
      ...structuredClone(given),
      metadata: {
        ...structuredClone(metadata),
        uid: previous?.metadata.uid ?? metadata.uid ?? `uid-${++this.#uids}`,
        resourceVersion: String(this.revision),
        generation: (previous?.metadata.generation ?? 1) + (specChanged ? 1 : 0),
        creationTimestamp:
          previous?.metadata.creationTimestamp ??
          metadata.creationTimestamp ??
          new Date(nowMs).toISOString().replace(/\.\d+Z$/, "Z"),
      },
    };
    objects.set(storedKey(given), object);
    this.#note({
      type: previous === undefined ? "ADDED" : "MODIFIED",
      revision: this.revision,
      collection: path,
      object,
      ...(previous === undefined ? {} : { previous }),
    });
    return object;
  }

  remove(path: string, key: string): void {
    const objects = this.#collection(path);
    const known = objects.get(key);
    if (known === undefined) return;
    objects.delete(key);
    this.revision++;
    const metadata = { ...known.metadata, resourceVersion: String(this.revision) };
    const object = { ...known, metadata };
    this.#note({
      type: "DELETED",
      revision: this.revision,
      collection: path,
      object,
      previous: known,
    });
  }

  since(path: string, revision: number): readonly StoredEvent[] {
    return this.#log.filter((event) => event.collection === path && event.revision > revision);
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #collection(path: string): Map<string, StoredObject> {
    const found = this.#collections.get(path) ?? new Map<string, StoredObject>();
    this.#collections.set(path, found);
    return found;
  }

  #note(event: StoredEvent): void {
    this.#log.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}
