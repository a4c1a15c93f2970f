import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";
import { blocksOf } from "./markdown-blocks.ts";

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), "utf8");
const guide = read("docs", "slurm.md");

/** The blocks of the guide that say how jobs preempt each other. */
const ways = blocksOf(guide)
  .map(({ lines }) => lines)
  .filter((lines) => lines.some((line) => line.startsWith("PreemptType=")));

describe("the guide for Slurm", () => {
  it.each(["preempt/partition_prio", "preempt/qos"])(
    "has a mode for jobs to give way with %s: with OFF, the default, slurmctld does not start",
    (type) => {
      const [lines, ...more] = ways.filter((way) => way.includes(`PreemptType=${type}`));
      expect(lines).toContain("PreemptMode=CANCEL");
      expect(more).toEqual([]);
    },
  );

  it("shows no other way", () => {
    expect(ways).toHaveLength(2);
  });

  it("ships the partition with the settings that it shows", () => {
    const shipped = read("deploy", "slurm", "partition.conf").split("\n");
    const [shown = []] = ways.filter((way) => way.includes("PreemptType=preempt/partition_prio"));
    for (const line of shown.filter((one) => !one.startsWith("PartitionName=batch"))) {
      expect(shipped).toContain(line);
    }
  });
});
