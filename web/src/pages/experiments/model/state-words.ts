import type { ExperimentRow } from "../../../../../src/control/api/experiments.ts";

type State = ExperimentRow["state"];

/** Whether it can still change. */
export function isGoingOn(state: State): boolean {
  return state === "waiting" || state === "running" || state === "stopping";
}

/** Why there is no outcome, or what a state means, in one sentence. */
export const stateWords: Readonly<Record<State, string>> = {
  waiting: "It waits for its turn: only so many run at once.",
  running: "It is running.",
  stopping: "It is being stopped: what it broke is undone first.",
  finished: "It ran to its end and was judged.",
  stopped: "It proves nothing either way.",
  failed: "It could not be run to its end, and proves nothing either way.",
  interrupted: "The process that ran it ended first; its faults were taken back afterwards.",
};

/** Words that came without a beginning and an end of their own. */
export function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? "" : ".";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end}`;
}

/** The worlds, for people. */
export const worldWords: Readonly<Record<ExperimentRow["world"], string>> = {
  sim: "Simulator",
  host: "This machine",
  kubernetes: "Kubernetes",
  slurm: "Slurm",
};

/** Phases of a run in the order they come; `judge` is the last. */
export const runPhases = ["before", "baseline", "method", "after", "judge"] as const;

export const phaseWords: Readonly<Record<string, string>> = {
  before: "Probes before",
  baseline: "Run without faults",
  method: "Run with faults",
  after: "Undo and probes after",
  judge: "Judging",
};
