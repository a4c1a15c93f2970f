import { createHash } from "node:crypto";
import type { RngStream } from "../../../src/platform/rng/index.ts";
import { apply, MemoryFile, MemoryFolder, type MemoryNode } from "./memory-nodes.ts";

/** For each node with something undecided, which of its possibilities it gets. */
type Choices = ReadonlyMap<MemoryNode, number>;

const pendingMax = 16;

/**
 * The disks that may be found after a loss of power: first everything written, then only what was
 * synced, then all others, or a sample of them when they are too many.
 */
export function* diskStates(
  root: MemoryFolder,
  { limit, stream }: { readonly limit: number; readonly stream: RngStream },
): Generator<MemoryFolder> {
  const counts = undecided(root);
  const nodes = [...counts.keys()];
  const total = nodes.reduce((product, node) => product * (counts.get(node) ?? 1), 1);
  const pick = (choose: (count: number, node: MemoryNode) => number): MemoryFolder =>
    built(root, new Map(nodes.map((node) => [node, choose(counts.get(node) ?? 1, node)])));
  if (total <= limit) {
    for (let number = 0; number < total; number++) {
      let rest = number;
      yield pick((count) => {
        const choice = rest % count;
        rest = Math.floor(rest / count);
        return choice;
      });
    }
    return;
  }
  // Possibility 0 is everything written; of names, the last is nothing; of bytes, the second.
  yield pick(() => 0);
  yield pick((count, node) => (node.kind === "folder" ? count - 1 : Math.min(1, count - 1)));
  for (let sampled = 2; sampled < limit; sampled++) yield pick((count) => stream.int(count));
}

/** How many possibilities there are for everything that may be reached and is not synced. */
function undecided(root: MemoryFolder): Map<MemoryNode, number> {
  const counts = new Map<MemoryNode, number>();
  const seen = new Set<MemoryNode>();
  const visit = (node: MemoryNode) => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === "file") {
      const count = [...node.possible()].length;
      if (count > 1) counts.set(node, count);
    }
    if (node.kind !== "folder") return;
    if (node.pending.length > pendingMax) throw new Error("too many names are undecided");
    if (node.pending.length > 0) counts.set(node, 2 ** node.pending.length);
    for (const child of node.durable.values()) visit(child);
    for (const change of node.pending) for (const [, child] of change) if (child) visit(child);
  };
  visit(root);
  return counts;
}

function built(folder: MemoryFolder, choices: Choices): MemoryFolder {
  const copy = new MemoryFolder(folder.modifiedMs);
  const entries = new Map(folder.durable);
  // Bit n says that change n is missing.
  const missing = choices.get(folder) ?? 0;
  for (const [at, change] of folder.pending.entries()) {
    if (((missing >> at) & 1) === 0) apply(entries, change);
  }
  for (const [name, node] of entries) copy.entries.set(name, builtNode(node, choices));
  copy.sync();
  return copy;
}

function builtNode(node: MemoryNode, choices: Choices): MemoryNode {
  if (node.kind === "folder") return built(node, choices);
  if (node.kind === "link") return node;
  const content = [...node.possible()][choices.get(node) ?? 0] ?? node.content;
  return new MemoryFile(content, node.modifiedMs, content);
}

const hashes = new WeakMap<Uint8Array, string>();

/** Names with what they stand for. Of temporary folders only that they are there: nobody reads them. */
export function fingerprintOf(folder: MemoryFolder): string {
  const lines = [...folder.entries].map(([name, node]) => {
    if (name.startsWith(".tmp-")) return name.slice(0, name.lastIndexOf("-"));
    if (node.kind === "folder") return `${name} {${fingerprintOf(node)}}`;
    return node.kind === "link" ? `${name} ->` : `${name} ${hashOf(node.content)}`;
  });
  return lines.toSorted().join("; ");
}

function hashOf(content: Uint8Array): string {
  const known = hashes.get(content) ?? createHash("sha256").update(content).digest("hex");
  hashes.set(content, known);
  return known;
}
