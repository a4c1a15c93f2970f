/** An object as the fake server keeps it. */
export interface FakeObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export interface FakeEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly revision: number;
  readonly collection: string;
  readonly object: FakeObject;
}

/** The state behind a fake API server: objects by collection, and what happened to them. */
export class ObjectTable {
  revision = 100;
  /** Events before this revision are forgotten. */
  compactedTo = 0;
  readonly #collections = new Map<string, Map<string, FakeObject>>();
  #log: FakeEvent[] = [];
  #uids = 0;

  collection(path: string): Map<string, FakeObject> {
    const found = this.#collections.get(path) ?? new Map<string, FakeObject>();
    this.#collections.set(path, found);
    return found;
  }

  put(path: string, given: FakeObject): FakeEvent {
    const objects = this.collection(path);
    const known = objects.get(keyOf(given));
    this.revision++;
    const uid = known?.metadata.uid ?? `uid-${++this.#uids}`;
    const metadata = { ...given.metadata, uid, resourceVersion: String(this.revision) };
    const object: FakeObject = { ...given, metadata };
    objects.set(keyOf(given), object);
    return this.#note(known === undefined ? "ADDED" : "MODIFIED", path, object);
  }

  remove(path: string, key: string): FakeEvent | undefined {
    const objects = this.collection(path);
    const known = objects.get(key);
    if (known === undefined) return undefined;
    objects.delete(key);
    this.revision++;
    const metadata = { ...known.metadata, resourceVersion: String(this.revision) };
    return this.#note("DELETED", path, { ...known, metadata });
  }

  /** Forgets what happened, as etcd does every few minutes. */
  compact(): void {
    this.compactedTo = this.revision;
    this.#log = [];
  }

  since(path: string, revision: number): readonly FakeEvent[] {
    return this.#log.filter((event) => event.collection === path && event.revision > revision);
  }

  #note(type: FakeEvent["type"], collection: string, object: FakeObject): FakeEvent {
    const event = { type, revision: this.revision, collection, object };
    this.#log.push(event);
    return event;
  }
}

/** `namespace/name` or `name`. */
export function keyOf(object: FakeObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}
