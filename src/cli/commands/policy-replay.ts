import type { CommandSpec } from "../command-spec.ts";

export const policyReplayCommand: CommandSpec = {
  name: "policy replay",
  summary: "replay an event log through policies: how soon each finds defects, and at what cost",
  description:
    "Replays one log of a fleet (nodes free and busy, crashes, kernel events, defects with their onset) through each policy, with the same limits and the same draws for all: time to detect, exposure, coverage, GPU-hours, false quarantines. A policy sees no defect and no future. docs/policies.md describes the log, the rules and the policies.",
  arguments: [
    {
      name: "<log>",
      description: "the event log, JSON Lines; `tessera simulate fleet` writes one",
      completes: "file",
    },
  ],
  options: [
    {
      flags: "--policies <names>",
      description: "the policies to compare: stale, risk, random; all of them when not given",
    },
  ],
  examples: [
    {
      command: "tessera policy replay fleet.jsonl --policies stale,risk",
      shows: "whether risk would have found last month's defects sooner",
    },
    {
      command: "tessera policy replay fleet.jsonl --policies stale,risk,random --seed 7 --json",
      shows: "all policies with other draws, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/policy-replay.ts"),
};
