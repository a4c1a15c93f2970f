import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { linkSubnet } from "../namespaces/subnet.ts";
import { nodesSubnet, slurmNodesMax } from "../slurm/addresses.ts";
import { gresConf, rackOf, slurmConf } from "../slurm/conf.ts";
import { isNodeUp } from "../slurm/node.ts";
import { slurmPathsOf } from "../slurm/paths.ts";
import { alice, groupWith, passwdWith } from "../slurm/users.ts";

describe("the addresses of Slurm nodes", () => {
  it("are shared by no two nodes of any two clusters, nor with a link", () => {
    const cluster = fc.integer({ min: 0, max: 1023 });
    const node = fc.integer({ min: 0, max: slurmNodesMax - 1 });
    fc.assert(
      fc.property(cluster, node, cluster, node, (a, i, b, j) => {
        const one = nodesSubnet(a).node(i);
        const other = nodesSubnet(b).node(j);
        expect(one === other).toBe(a === b && i === j);
        expect(one).not.toBe(nodesSubnet(b).gateway);
        expect(one).not.toBe(linkSubnet(b).clusterAddress);
      }),
    );
  });

  it("run out with a reason", () => {
    expect(nodesSubnet(0)).toMatchObject({ cidr: "198.19.0.0/26", gateway: "198.19.0.1" });
    expect(nodesSubnet(1023).node(31)).toBe("198.19.255.225");
    expect(() => nodesSubnet(1024)).toThrow(/no addresses .* are left/);
    expect(() => nodesSubnet(0).node(slurmNodesMax)).toThrow(RangeError);
  });
});

describe("Slurm's files", () => {
  const input = {
    paths: slurmPathsOf("/c"),
    clusterName: "test-1-2",
    controllerAddress: "198.18.0.2",
    nodes: ["198.19.0.2", "198.19.0.3"],
    accounting: false,
    extra: [],
  };

  it("give user jobs the right of way by partition, and with accounting by QOS", () => {
    expect(slurmConf(input)).toContain("PreemptType=preempt/partition_prio\n");
    expect(slurmConf(input)).not.toContain("slurmdbd");
    const accounted = slurmConf({ ...input, accounting: true });
    expect(accounted).toContain("PreemptType=preempt/qos\n");
    expect(accounted).toContain("AccountingStorageType=accounting_storage/slurmdbd\n");
  });

  it("end with the lines a test adds, so that those count", () => {
    expect(slurmConf({ ...input, extra: ["KillWait=30"] })).toMatch(
      /KillWait=5\n[^]*KillWait=30\n$/,
    );
    expect(slurmConf(input)).not.toContain("KillWait=30");
  });

  it("name the cluster without dashes, its nodes with address and rack", () => {
    expect(slurmConf(input)).toContain("ClusterName=test_1_2\n");
    expect(slurmConf(input)).toMatch(/NodeName=g1 NodeAddr=198\.19\.0\.3 .*Feature=rack1,ib\n/);
    expect(gresConf(input)).toContain("NodeName=g0,g1 ");
    expect([0, 1, 2, 3].map((index) => rackOf(index, 4))).toEqual([
      "rack0",
      "rack0",
      "rack1",
      "rack1",
    ]);
  });
});

describe("the users inside a cluster", () => {
  it("come after the machine's own, in place of any of the same name or number", () => {
    const machines = `root:x:0:0::/root:/bin/sh\nalice:x:1001:1001::/home/alice:/bin/sh\nx:x:${alice.id}:1::/:\n`;
    const table = passwdWith(machines, "/h").split("\n");
    expect(table[0]).toBe("root:x:0:0::/root:/bin/sh");
    expect(table.filter((line) => line.startsWith("alice:"))).toEqual([
      `alice:x:${alice.id}:${alice.id}::/h/alice:/bin/sh`,
    ]);
    expect(table.some((line) => line.startsWith("x:"))).toBe(false);
    expect(groupWith("root:x:0:\n").split("\n")[1]).toBe(`alice:x:${alice.id}:`);
  });
});

describe.skipIf(process.platform !== "linux")("a Slurm node (Linux)", () => {
  const alive = `${process.pid}`;
  const dead = `${spawnSync("true").pid}`;

  it.each([
    ["is up when it says so itself", { pid: alive, up: alive }, true],
    ["is not up before it says so", { pid: alive }, false],
    ["is not up because the one before it was", { pid: alive, up: dead }, false],
    ["is not up after it lost power, which leaves its files", { pid: dead, up: dead }, false],
    ["is not up before it was ever switched on", {}, false],
  ])("%s", async (_, files, expected) => {
    const path = join(await tempDir(), "g0");
    for (const [ending, text] of Object.entries(files)) {
      writeFileSync(`${path}.${ending}`, `${text}\n`);
    }
    expect(isNodeUp(path)).toBe(expected);
  });
});
