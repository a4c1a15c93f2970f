import type { CheckFacts, Fleet } from "../policy.ts";

/**
 * What a node can be: state 0 is sound; after it come two states for each kind of defect that some
 * check can find, one that shows itself to others (crashes, kernel events) and one that does not.
 */
export interface StateSpace {
  readonly kinds: readonly string[];
  readonly states: number;
  /** The chance that a check blames a node in a state: sensitivity, or the false alarm of state 0. */
  readonly findsBy: readonly Float64Array[];
}

/** The states of a fleet: the kinds are those its checks know. */
export function stateSpaceOf({ checks }: Fleet): StateSpace {
  const named = checks.flatMap(({ sensitivity }) =>
    Object.keys(sensitivity).filter((kind) => (sensitivity[kind] ?? 0) > 0),
  );
  const kinds = [...new Set(named)].toSorted();
  const states = 1 + 2 * kinds.length;
  return { kinds, states, findsBy: checks.map((check) => findsOf(check, kinds)) };
}

function findsOf({ sensitivity, falseAlarm }: CheckFacts, kinds: readonly string[]): Float64Array {
  const finds = kinds.flatMap((kind) => {
    const chance = Object.hasOwn(sensitivity, kind) ? (sensitivity[kind] ?? 0) : 0;
    return [chance, chance];
  });
  return Float64Array.from([falseAlarm, ...finds]);
}

/** The kind a state stands for; undefined for the sound one. */
export function kindOfState(space: StateSpace, state: number): string | undefined {
  return state === 0 ? undefined : space.kinds[(state - 1) >> 1];
}

/** True for the state of a kind that shows itself. */
export function isLoud(state: number): boolean {
  return state > 0 && state % 2 === 1;
}
