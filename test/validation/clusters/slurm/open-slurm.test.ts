import { describe, expect, it } from "vitest";
import { createLogger } from "../../../../src/platform/log/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { openCluster } from "../../../../src/validation/clusters/open-cluster.ts";
import { clusterEntry } from "../../../../src/validation/resolve-settings.ts";
import { loadYaml } from "../../../platform/config/load.ts";

const clock = new VirtualClock();

async function open(yaml: string) {
  const { values: config } = await loadYaml(yaml);
  return await openCluster(clusterEntry(config, "hpc"), {
    config,
    env: {},
    clock,
    log: createLogger({ level: "silent", format: "json", stream: { write: () => {} }, clock }),
    rng: createRng(1),
    command: ["tessera"],
    secret: "s",
    onResult: () => {},
  });
}

describe("a cluster of kind slurm", () => {
  it("is made from its entry and the section about Slurm, without asking Slurm anything", async () => {
    const { cluster, about, connect, close } = await open(`
slurm: { program: /shared/tessera, partition: batch }
validation:
  checks: [{ name: host-compute }]
  clusters:
    - { name: hpc, kind: slurm, partition: tessera, excludedNodes: ["g[1-2]"], lookEvery: 20s }
`);
    expect(cluster).toMatchObject({ name: "hpc", kind: "slurm", provenance: "measured" });
    expect(cluster.checks.available).toEqual(["host-compute"]);
    expect(about).toBe("Slurm, partition tessera");
    expect(connect).toBeUndefined();
    expect(cluster.view().trust.state).toBe("starting");
    await close();
  });

  it("is refused by name when its nodes are not as Slurm writes them", async () => {
    const opening = open(
      "validation: { clusters: [{ name: hpc, kind: slurm, program: /t, excludedNodes: ['gpu[001-128'] }] }",
    );
    await expect(opening).rejects.toMatchObject({
      code: "E_CONFIG_INVALID",
      message: expect.stringContaining("validation.clusters.0.excludedNodes.0"),
    });
  });

  it("is refused when nothing says which program jobs start", async () => {
    const opening = open("validation: { clusters: [{ name: hpc, kind: slurm }] }");
    await expect(opening).rejects.toMatchObject({
      code: "E_CONFIG_INVALID",
      message: expect.stringContaining("slurm.program"),
    });
  });
});
