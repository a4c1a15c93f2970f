import { AsyncResource } from "node:async_hooks";
import type { Mesh } from "../mesh/index.ts";
import { Rank } from "./rank.ts";
import { report } from "./timing.ts";
import { World } from "./world.ts";

/** What every rank runs. */
export type RankProgram<T> = (rank: Rank) => T | PromiseLike<T>;

/**
 * Runs one program on every rank of a mesh, as separate processes would run it, and gives what each
 * returned, by rank. Programs take turns on this thread: each runs until it awaits. Ranks start in
 * order and are answered in order, so that a run repeats exactly as long as programs await nothing
 * from outside.
 *
 * Operations match by group and by number: everyone's first call on a group belongs together, then
 * everyone's second. Values are those of the single-controller collectives, bit for bit. Nothing
 * hangs: ranks that disagree get E_DESYNC, ranks that wait for each other E_DEADLOCK, ranks that
 * wait for one that failed its E_RANK_FAILED. A rank that awaits something else, and no call, may
 * always go on, so such a wait is never taken for a deadlock (for both at once see `rank.outside`).
 *
 * Each program runs in an async context of its own: a fault it injects is its own, though every rank
 * that meets it in an operation gets the error. A profile session around the run sees each operation
 * of each group once.
 *
 * @throws what the first rank to fail failed with; an error of its own as E_RANK_FAILED with that
 * error as cause. Also the error of a call that no program ever awaited.
 */
export async function spmd<T>(mesh: Mesh, program: RankProgram<T>): Promise<readonly T[]> {
  const caller = new AsyncResource("TesseraSpmd");
  const world = new World(mesh, (calls, members, delayUs) =>
    caller.runInAsyncScope(() => report({ mesh, members, calls, delayUs })),
  );
  const values: T[] = [];
  const runs = world.states.map((state) => {
    const run = async () => {
      try {
        values[state.rank] = await program(new Rank(world, mesh, state));
        world.ended(state);
      } catch (error) {
        world.failed(state, error);
      }
    };
    // The scope keeps what a program sets up before its first await from the programs after it.
    return new AsyncResource("TesseraRank").runInAsyncScope(run);
  });
  await Promise.all([...runs, world.finished]);
  if (world.failure !== undefined) throw world.failure;
  return values;
}
