import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { durationUs, factor, noParams, share, whole } from "./fields.ts";

const collective = {
  family: "collective",
  targets: ["group", "rank"],
  ending: "lasting",
  undo: "later collectives are as before",
  xids: [],
} as const;

const times = whole(1, "so many collectives from the trigger on, then no more", {
  min: 1,
  max: 1_000_000,
});

/** Faults of what ranks do together, and of the pace of one. */
export const collectiveFaults = {
  drop_collective: {
    ...collective,
    name: "drop_collective",
    title: "Collectives of a group get lost: nobody is answered",
    params: z.strictObject({
      count: times,
      share: share(1, "of the collectives that pass, by chance with the plan's seed"),
    }),
    worlds: {
      sim: "the messages of the collective do not arrive; its ranks wait until their timeout",
      host: "the proxy takes the messages of the collective and hands none on",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a rank of the group that reports a collective that did not end in time",
  },
  delay_collective: {
    ...collective,
    name: "delay_collective",
    title: "Collectives of a group take longer",
    params: z.strictObject({
      delayUs: durationUs(1_000_000, "added to each"),
      count: times,
    }),
    worlds: {
      sim: "the messages of the collective arrive later",
      host: "the proxy holds the messages of the collective",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a collective of the group that took longer by at least the delay",
  },
  corrupt_collective: {
    ...collective,
    name: "corrupt_collective",
    title: "What a rank hands to a collective is changed on the way",
    params: z.strictObject({
      element: whole(0, "index in the buffer"),
      bit: whole(0, "counted from the lowest", { max: 63 }),
      count: times,
    }),
    worlds: {
      sim: "a wrong bit in what the rank contributes to the sum",
      host: "the worker changes the bit in what it hands in, before it is sent",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a digest of the sum that differs from the one without the fault",
  },
  collective_timeout: {
    ...collective,
    name: "collective_timeout",
    title: "A collective does not end: everybody in it waits until the timeout",
    params: noParams,
    worlds: {
      sim: "one collective of the group is never answered",
      host: "the proxy takes the messages of one collective and hands none on",
      kubernetes: null,
      slurm: null,
    },
    evidence: "a rank of the group that reports a collective that did not end in time",
  },
  straggler: {
    ...collective,
    name: "straggler",
    title: "A rank computes slower than the others, and everybody waits for it",
    targets: ["rank", "node"],
    params: z.strictObject({ factor: factor(2, "how many times longer it computes") }),
    worlds: {
      sim: "the device takes longer to compute",
      host: "the worker does its computing again until it took so many times longer",
      kubernetes: null,
      slurm: null,
    },
    undo: "the rank computes as fast as before",
    evidence: "the rank's own time of a step against the median of all ranks",
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
