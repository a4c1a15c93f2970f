import { Semaphore } from "../../../platform/concurrency/index.ts";
import { TesseraError } from "../../../platform/errors/index.ts";
import type { SaveWhere } from "./failures.ts";

/** Saves of one root that may wait for the one under way: each holds a whole state in memory. */
export const waitingSavesMax = 4;

const queues = new WeakMap<object, Map<string, Semaphore>>();

/**
 * One save at a time for each root, the others in order.
 *
 * @param owner whose saves they are: a file system, or one rank of a world
 */
export async function inTurn<T>(
  owner: object,
  root: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const roots = queues.get(owner) ?? new Map<string, Semaphore>();
  queues.set(owner, roots);
  const turns = roots.get(root) ?? new Semaphore({ permits: 1 });
  roots.set(root, turns);
  try {
    return await turns.run(work, signal);
  } finally {
    if (turns.free === 1 && turns.waiting === 0) roots.delete(root);
  }
}

/** @throws E_CHECKPOINT_WRITE when too many saves wait already */
export function requireRoom(owner: object, { tag, root }: SaveWhere): void {
  const waiting = queues.get(owner)?.get(root)?.waiting ?? 0;
  if (waiting < waitingSavesMax) return;
  const problem = `${waiting} saves wait for their turn already`;
  const hint = "Save less often, or wait for earlier saves (`done`) before the next.";
  throw new TesseraError("E_CHECKPOINT_WRITE", { tag, root, problem }, { hint });
}
