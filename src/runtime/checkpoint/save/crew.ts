import { isTesseraError, messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { World } from "../../ranks/world/world.ts";
import type { SaveWhere } from "./failures.ts";

/** Those who save together: this process alone, or the ranks of a world. */
export interface Crew {
  /** Undefined when this process does everybody's work. */
  readonly rank: number | undefined;
  /** The one that makes the folder and commits. */
  readonly isLead: boolean;
  /**
   * Everybody does their part and waits for the others.
   *
   * @returns what each gives, by rank. @throws the same kind of error for all when one fails; the
   *   world's own reason when a rank is lost.
   */
  agree<T>(what: string, work: () => Promise<T>): Promise<readonly T[]>;
  /** The lead does it and tells the others. @throws as `agree` */
  fromLead<T>(what: string, work: () => Promise<T>): Promise<T>;
}

/** What one rank tells the others about its part. */
type Outcome<T> = { readonly value?: T } | { readonly problem: string; readonly code: string };

/** Writing takes as long as it takes; ranks that are gone are noticed without it. */
const patienceMs = 24 * 3_600_000;

export function soloCrew(): Crew {
  return {
    rank: undefined,
    isLead: true,
    agree: async (_, work) => [await work()],
    fromLead: (_, work) => work(),
  };
}

export function worldCrew(world: World, where: SaveWhere): Crew {
  const attempt = async <T>(work: () => Promise<T>): Promise<[Outcome<T>, unknown]> => {
    try {
      return [{ value: await work() }, undefined];
    } catch (error) {
      const code = isTesseraError(error) ? error.code : "";
      return [{ problem: messageOf(error).slice(0, 2000), code }, error];
    }
  };
  const agree = async <T>(what: string, work: () => Promise<T>): Promise<readonly T[]> => {
    world.begin(what);
    const [own, error] = await attempt(work);
    world.signal.throwIfAborted();
    const outcomes = await world.gather(own, { what, timeoutMs: patienceMs });
    if (error !== undefined) throw error;
    return outcomes.map((outcome, rank) => valueOf(outcome, rank, where));
  };
  return {
    rank: world.rank,
    isLead: world.rank === 0,
    agree,
    fromLead: async (what, work) => {
      const all = await agree(what, async () => (world.rank === 0 ? work() : undefined));
      return all[0] as Awaited<ReturnType<typeof work>>;
    },
  };
}

function valueOf<T>(outcome: Outcome<T>, rank: number, { tag, root }: SaveWhere): T {
  // Nothing at all is left out of a message.
  if (!("problem" in outcome)) return outcome.value as T;
  // What is wrong with the state is the same for all; what went wrong on a disk belongs to one rank.
  const problem = `rank ${rank} failed: ${outcome.problem}`;
  if (outcome.code === "E_CHECKPOINT_STATE") {
    throw new TesseraError("E_CHECKPOINT_STATE", { tag, problem });
  }
  throw new TesseraError("E_CHECKPOINT_WRITE", { tag, root, problem, rank });
}
