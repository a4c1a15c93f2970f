import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import {
  unknownNames,
  whyNoneIsChosen,
} from "../../../../src/validation/clusters/slurm/chosen-nodes.ts";
import { createSlurmCluster } from "../../../../src/validation/clusters/slurm/index.ts";
import type { SlurmSettings } from "../../../../src/validation/clusters/slurm/settings.ts";
import { createFakeSlurm } from "../../../platform/slurm/fake-slurm.ts";
import { node, settingsOf, snapshot } from "./support/slurm-parts.ts";

const lookEveryMs = 10_000;

/** A look at a fleet of g0 and g1, and what was logged of it. */
async function look(more: Partial<SlurmSettings>) {
  const clock = new VirtualClock({ epochMs: 1_000_000 });
  const slurm = createFakeSlurm({ clock, nodes: 2 });
  const warned: string[] = [];
  const informed: string[] = [];
  const cluster = createSlurmCluster({
    name: "prod",
    client: slurm,
    user: "tessera",
    store: "5ad0beef",
    clock,
    log: {
      info: (_: unknown, text?: string) => void informed.push(text ?? ""),
      warn: (_: unknown, text?: string) => void warned.push(text ?? ""),
    },
    settings: settingsOf({ lookEveryMs, ...more }),
    env: {},
  });
  cluster.start();
  await clock.advance(1);
  return { clock, slurm, cluster, warned, informed };
}

describe("names in the configuration that the cluster does not have", () => {
  it("are told once: a node to be left alone that is written otherwise is not left alone", async () => {
    const { clock, cluster, warned } = await look({ excludedNodes: ["g00", "g1"] });
    await clock.advance(5 * lookEveryMs);
    expect(warned).toEqual([
      "The configuration names what the cluster does not have: in excludedNodes g00.",
    ]);
    expect(cluster.view().trust).toEqual({ state: "current" });
    await cluster.stop();
  });

  it("are not told of where all are there, also when a node leaves later", async () => {
    const { clock, slurm, cluster, warned } = await look({
      excludedNodes: ["g1"],
      partitions: ["batch"],
    });
    slurm.test.setNode("g1", { name: "g7" });
    await clock.advance(2 * lookEveryMs);
    expect(warned).toEqual([]);
    await cluster.stop();
  });

  it("are told by list, the first few of many", () => {
    const many = Array.from({ length: 12 }, (_, at) => `x${at}`);
    const settings = settingsOf({
      excludedNodes: many,
      partitions: ["batch", "gpuu"],
      features: ["ib", "rakc1"],
    });
    expect(unknownNames(snapshot(), settings)).toBe(
      "The configuration names what the cluster does not have: in excludedNodes x0, x1, x2, x3, x4, and 7 more; in partitions gpuu; in features rakc1.",
    );
  });

  it("are not partitions without a node", () => {
    const empty = { ...snapshot().partitions[0], name: "empty", nodes: [] };
    const partitions = [...snapshot().partitions, empty] as ReturnType<
      typeof snapshot
    >["partitions"];
    const settings = settingsOf({ partitions: ["batch", "empty"] });
    expect(unknownNames(snapshot({ partitions }), settings)).toBeUndefined();
  });
});

describe("lists that leave no node of the cluster", () => {
  it("make the view one that is not current, in words that name them, and nothing is concluded", async () => {
    const { clock, cluster, warned } = await look({ partitions: ["x"] });
    expect(cluster.view().trust).toEqual({
      state: "stale",
      sinceMs: 1_000_000,
      reason: "No node of the cluster is in partition x: see `partitions` of its entry.",
    });
    await clock.advance(3 * lookEveryMs);
    expect(cluster.view().trust).toMatchObject({ state: "stale", sinceMs: 1_000_000 });
    expect(warned).toEqual([expect.stringContaining("partition x")]);
    await cluster.stop();
  });

  it("leave what was seen before as it was, until there are nodes again", async () => {
    const { clock, slurm, cluster, warned, informed } = await look({ partitions: ["batch"] });
    slurm.test.setNode("g0", { partitions: ["other"] });
    slurm.test.setNode("g1", { partitions: ["other"] });
    await clock.advance(lookEveryMs);
    expect(cluster.view()).toMatchObject({
      trust: { state: "stale", reason: expect.stringContaining("partition batch") },
      nodes: [{ name: "g0" }, { name: "g1" }],
    });
    expect(warned).toHaveLength(1);
    slurm.test.setNode("g1", { partitions: ["batch"] });
    await clock.advance(lookEveryMs);
    expect(cluster.view()).toMatchObject({ trust: { state: "current" }, nodes: [{ name: "g1" }] });
    expect(informed).toEqual(["The view of the cluster is current again."]);
    await cluster.stop();
  });

  it.each<[Partial<SlurmSettings>, string | undefined]>([
    [{ partitions: ["x", "y"] }, "is in partition x or y: see `partitions`"],
    [{ features: ["ib", "h"] }, "has all of the features ib, h: see `features`"],
    [
      { partitions: ["x"], features: ["ib"] },
      "is in partition x and has the feature ib: see `partitions` and `features`",
    ],
    [{ partitions: ["batch", "x"], features: ["ib"] }, undefined],
    [{}, undefined],
  ])("are told apart from lists that leave some: %j", (more, words) => {
    const why = whyNoneIsChosen([node()], settingsOf(more));
    if (words === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(words);
  });
});
