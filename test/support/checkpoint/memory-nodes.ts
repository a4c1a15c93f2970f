/** What lies in a file system that can lose power. */
export type MemoryNode = MemoryFile | MemoryFolder | MemoryLink;

export interface MemoryLink {
  readonly kind: "link";
  readonly modifiedMs: number;
}

export class MemoryFile {
  readonly kind = "file";
  content: Uint8Array;
  /** What the disk surely has. */
  durable: Uint8Array;
  modifiedMs: number;

  constructor(content: Uint8Array, modifiedMs: number, durable: Uint8Array = new Uint8Array(0)) {
    this.content = content;
    this.durable = durable;
    this.modifiedMs = modifiedMs;
  }

  write(bytes: Uint8Array, position: number): void {
    const content = new Uint8Array(Math.max(this.content.length, position + bytes.length));
    content.set(this.content);
    content.set(bytes, position);
    this.content = content;
  }

  /** Everything that may be on the disk after a loss of power. */
  *possible(): Generator<Uint8Array> {
    const { content, durable } = this;
    yield content;
    if (Buffer.compare(content, durable) === 0) return;
    yield durable;
    const from = durable.length;
    const torn = new Set([from + 1, (from + content.length) >> 1, content.length - 1]);
    for (const end of torn) {
      if (end > from && end < content.length) yield content.slice(0, end);
    }
    // Its length is there and its bytes are not.
    const zeros = new Uint8Array(content.length);
    zeros.set(durable.subarray(0, Math.min(from, content.length)));
    if (Buffer.compare(zeros, content) !== 0) yield zeros;
    // The last of what was written reached the disk, and the first did not.
    const late = content.slice();
    late.fill(0, from, (from + content.length) >> 1);
    const isNew = Buffer.compare(late, content) !== 0 && Buffer.compare(late, zeros) !== 0;
    if (from < content.length && isNew) yield late;
  }
}

/** Names that change at once: one, or the two of a rename. */
export type NameChange = readonly (readonly [name: string, node: MemoryNode | undefined])[];

export class MemoryFolder {
  readonly kind = "folder";
  readonly entries = new Map<string, MemoryNode>();
  /** What the disk surely has. */
  durable = new Map<string, MemoryNode>();
  /** Changes since: each may be on the disk or not. */
  pending: NameChange[] = [];
  modifiedMs: number;

  constructor(modifiedMs: number) {
    this.modifiedMs = modifiedMs;
  }

  change(change: NameChange, modifiedMs: number): void {
    apply(this.entries, change);
    this.pending.push(change);
    this.modifiedMs = modifiedMs;
  }

  sync(): void {
    this.durable = new Map(this.entries);
    this.pending = [];
  }
}

export function apply(entries: Map<string, MemoryNode>, change: NameChange): void {
  for (const [name, node] of change) {
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
  }
}
