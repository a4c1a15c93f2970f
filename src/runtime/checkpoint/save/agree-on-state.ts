import { createHash } from "node:crypto";
import { compareReplicas, differing } from "./compare-replicas.ts";
import type { Crew } from "./crew.ts";
import type { ByteBudget } from "./hashing.ts";
import { refused, type Snapshot } from "./snapshot.ts";
import { digestBlock } from "./tensor-digest.ts";

export interface AgreeOptions {
  readonly crew: Crew;
  readonly snapshot: Snapshot;
  readonly budget: ByteBudget;
  readonly signal: AbortSignal | undefined;
  readonly pieceBytes: number | undefined;
}

/** What all ranks come to first; one that cannot save says so there. */
export const firstMeeting = "what a checkpoint holds";

/** Digests of what this rank holds of replicated tensors, by name. */
export type OwnDigests = ReadonlyMap<string, string>;

/** What a rank tells the others before anything is written. */
interface Account {
  /** Of names, dtypes, shapes, layouts and step. */
  readonly tensors: string;
  readonly values: string;
  /** For each set of ranks that hold the same boxes, a hash of those boxes' bits. */
  readonly replicas: Readonly<Record<string, string>>;
}

/**
 * Makes sure that all who save mean the same state, and that replicas have the same bits.
 *
 * @throws E_CHECKPOINT_STATE naming the tensor and the ranks
 */
export async function agreeOnState(options: AgreeOptions): Promise<OwnDigests> {
  const { crew, snapshot, signal } = options;
  if (crew.rank === undefined) {
    await compareReplicas(snapshot, signal);
    return new Map();
  }
  const own = new Map<string, string>();
  const accounts = await crew.agree(firstMeeting, () => accountOf(options, own));
  requireSame(snapshot.tag, accounts);
  const groups = differingGroups(accounts);
  if (groups.length > 0) await nameDifference(options, own, groups);
  return own;
}

async function accountOf(options: AgreeOptions, own: Map<string, string>): Promise<Account> {
  const { crew, snapshot, budget, signal, pieceBytes = null } = options;
  signal?.throwIfAborted();
  const rank = crew.rank ?? 0;
  const { tag, step, parent, tensors, values, mesh } = snapshot;
  const grid = mesh === null ? null : [mesh.axes, mesh.shape];
  const replicas = new Map<string, string[]>();
  for (const { name, block, boxes } of tensors) {
    const group = boxes.find(({ ranks }) => ranks.includes(rank))?.ranks ?? [];
    if (group.length < 2) continue;
    const digest = await digestBlock(block(rank), { budget, signal });
    own.set(name, digest);
    const key = group.join(",");
    replicas.set(key, [...(replicas.get(key) ?? []), digest]);
  }
  const described = tensors.map(({ name, dtype, shape, layout }) => [name, dtype, shape, layout]);
  return {
    tensors: hashOf([tag, step, parent, pieceBytes, grid, described]),
    values: hashOf(values),
    replicas: Object.fromEntries([...replicas].map(([key, all]) => [shortKey(key), hashOf(all)])),
  };
}

function requireSame(tag: string, accounts: readonly Account[]): void {
  const [first] = accounts;
  for (const [rank, { tensors, values }] of accounts.entries()) {
    if (tensors !== first?.tensors) {
      throw refused(
        tag,
        `rank ${rank} has other tensors, another step or other options than rank 0`,
      );
    }
    if (values !== first.values) throw refused(tag, `rank ${rank} has other values than rank 0`);
  }
}

/** Sets of ranks whose replicas are not all the same. */
function differingGroups(accounts: readonly Account[]): readonly string[] {
  const hashes = new Map<string, Set<string>>();
  for (const { replicas } of accounts) {
    for (const [group, hash] of Object.entries(replicas)) {
      hashes.set(group, (hashes.get(group) ?? new Set()).add(hash));
    }
  }
  return [...hashes].flatMap(([group, seen]) => (seen.size > 1 ? [group] : []));
}

/** Looks for the tensor, now that there is one. Only the ranks that disagree send their digests. */
async function nameDifference(
  { crew, snapshot }: AgreeOptions,
  own: OwnDigests,
  groups: readonly string[],
): Promise<never> {
  const rank = crew.rank ?? 0;
  const groupOf = (name: string) => {
    const { boxes } = snapshot.tensors.find((one) => one.name === name) ?? { boxes: [] };
    return boxes.find(({ ranks }) => ranks.includes(rank))?.ranks ?? [];
  };
  const sent = await crew.agree("which replicas differ", async () =>
    [...own].flatMap(([name, digest]) => {
      const group = shortKey(groupOf(name).join(","));
      return groups.includes(group) ? [{ name, group, digest }] : [];
    }),
  );
  const firsts = new Map<string, { digest: string; rank: number }>();
  const others = new Map<string, { name: string; first: number; others: number[] }>();
  for (const [rank, list] of sent.entries()) {
    for (const { name, group, digest } of list) {
      const key = `${group} ${name}`;
      const first = firsts.get(key) ?? { digest, rank };
      firsts.set(key, first);
      if (first.digest === digest) continue;
      const found = others.get(key) ?? { name, first: first.rank, others: [] };
      others.set(key, found);
      found.others.push(rank);
    }
  }
  const [found] = [...others.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (found === undefined) throw refused(snapshot.tag, "replicas differ, and changed meanwhile");
  throw differing(snapshot.tag, found.name, found);
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** A list of a thousand ranks is long, and there are as many lists. */
function shortKey(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 24);
}
