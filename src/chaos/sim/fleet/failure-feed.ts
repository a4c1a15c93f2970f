import type { Incident, JobStop, Straggling } from "../../failure-model/index.ts";

/** What happens next. `FailureSource` draws it; a list works as well. */
export interface FailureFeed {
  incident(node: number, fromUs: number): Incident | null;
  straggling(node: number, fromUs: number): Straggling | null;
  softwareStop(fromUs: number): JobStop | null;
  plannedStop(fromUs: number): JobStop | null;
}

/** A feed of what was drawn or written down before, each list in the order of time. */
export function listedFeed(lists: {
  readonly incidents?: readonly Incident[];
  readonly stragglers?: readonly Straggling[];
  readonly stops?: readonly JobStop[];
}): FailureFeed {
  const { incidents = [], stragglers = [], stops = [] } = lists;
  const planned = stops.filter(({ isPlanned }) => isPlanned);
  const unplanned = stops.filter(({ isPlanned }) => !isPlanned);
  return {
    incident: (node, fromUs) => nextOf(incidents, fromUs, (event) => event.node === node),
    straggling: (node, fromUs) => nextOf(stragglers, fromUs, (event) => event.node === node),
    softwareStop: (fromUs) => nextOf(unplanned, fromUs),
    plannedStop: (fromUs) => nextOf(planned, fromUs),
  };
}

function nextOf<T extends { readonly atUs: number }>(
  list: readonly T[],
  fromUs: number,
  isMeant: (event: T) => boolean = () => true,
): T | null {
  return list.find((event) => event.atUs > fromUs && isMeant(event)) ?? null;
}
