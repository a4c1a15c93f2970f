import type { Slurm } from "../../../../cluster/slurm/fixture.ts";

/**
 * What a deed of ours would show in: reservations, and of nodes the states that somebody gave them, with
 * reasons, who gave them and when, and comments. Left out is whether jobs are there and whether slurmd
 * answers, and what nodes themselves say of reservations, which comes and goes with jobs.
 */
export async function doorsOf(slurm: Slurm) {
  const show = (what: string) => slurm.run("scontrol", ["-o", "show", what]);
  const lines = (await show("nodes")).split("\n").filter((line) => line !== "");
  const nodes = lines.map((line) => ({
    name: /NodeName=(\S+)/.exec(line)?.[1],
    states: given(/\bState=(\S+)/.exec(line)?.[1] ?? ""),
    reason: / Reason=(.*)$/.exec(line)?.[1]?.trimEnd(),
    comment: / Comment=(.*?)(?: \w+=|\s*$)/.exec(line)?.[1],
  }));
  return { nodes, reservations: await show("reservations") };
}

function given(state: string): readonly string[] {
  const words = state.split(/[+*]/);
  return words.filter((word) => /^(DRAIN|DOWN|FAIL|REBOOT|POWER)/.test(word));
}
