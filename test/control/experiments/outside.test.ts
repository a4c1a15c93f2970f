import { describe, expect, test } from "vitest";
import { parseExperiment } from "../../../src/chaos/experiment/index.ts";
import { childVariables } from "../../../src/control/experiments/child/child-env.ts";
import { outsideRefusals } from "../../../src/control/experiments/outside-refusals.ts";

function withProbe(probe: object): ReturnType<typeof parseExperiment> {
  const experiment = {
    title: "Asks",
    workload: { kind: "pods", namespace: "train", selector: "app=job" },
    steadyState: [{ kubernetes: { name: "one", is: { equals: 1 }, ...probe } }],
    faults: [],
  };
  return experiment as never;
}

const closed = { outside: false, worlds: ["kubernetes"] } as const;

describe("a probe of an experiment from the API", () => {
  test.each([
    { resource: "v1/pods", namespace: "train", field: "status.phase" },
    { resource: "apps/v1/deployments", namespace: "train", field: "status.readyReplicas" },
    { resource: "v1/nodes", field: "status.conditions" },
  ])("may read $resource of what it breaks", (probe) => {
    expect(outsideRefusals(withProbe(probe), closed)).toEqual([]);
  });

  test.each([
    { resource: "v1/secrets", namespace: "train", field: "data.password" },
    { resource: "v1/configmaps", namespace: "train", field: "data.x" },
    { resource: "v1/pods", namespace: "kube-system", field: "status.phase" },
    { resource: "v1/pods", field: "status.phase" },
    { resource: "v1/nodes", field: "metadata.annotations" },
  ])("may not read $resource $namespace $field, unless the server allows outside", (probe) => {
    expect(outsideRefusals(withProbe(probe), closed)).toEqual([
      expect.stringContaining(`reads ${probe.resource}`),
    ]);
    expect(outsideRefusals(withProbe(probe), { ...closed, outside: true })).toEqual([]);
  });
});

test("a job's output is read only where the server allows outside", () => {
  const text = (output: string) =>
    `title: Reads\nworkload: { kind: slurm, job: train${output} }\nfaults: []\n`;
  const given = parseExperiment(text(", output: /shared/out.txt"), "a.yaml");
  expect(outsideRefusals(given, closed)).toEqual([expect.stringContaining("reads a file")]);
  expect(outsideRefusals(given, { ...closed, outside: true })).toEqual([]);
  expect(outsideRefusals(parseExperiment(text(""), "a.yaml"), closed)).toEqual([]);
});

describe("a child", () => {
  const names = [
    "PATH",
    "TESSERA_TOKEN",
    "TESSERA_STORE_URL",
    "AWS_PROFILE",
    "KUBECONFIG",
    "SLURM_CONF",
    "SLURM_JWT",
    "LD_LIBRARY_PATH",
    "PGPASSWORD",
  ];

  test("sees what programs need, and no secret of the server", () => {
    expect(childVariables(names, ["sim", "host"])).toEqual(["PATH"]);
  });

  test("sees what finds a cluster where experiments may break one", () => {
    expect(childVariables(names, ["kubernetes"])).toEqual(["PATH", "AWS_PROFILE", "KUBECONFIG"]);
    const ofSlurm = ["SLURM_CONF", "SLURM_JWT", "LD_LIBRARY_PATH"];
    expect(childVariables(names, ["slurm"])).toEqual(["PATH", ...ofSlurm]);
  });
});
