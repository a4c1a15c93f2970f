import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { repositoryRoot } from "../../../cluster/machine/repository.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { jobOf } from "../../../validation/clusters/kubernetes/support/templates.ts";
import { settledInventory, untilGone } from "./support/inventory.ts";
import { jobBySubmitter, takeoverJob } from "./support/job-as.ts";
import { jobsNamespace, namespace } from "./support/release.ts";

const file = (name: string) => join(repositoryRoot(), "deploy", "tessera", name);

describeCluster("the plain manifests", () => {
  let cluster: Cluster;
  let before: readonly string[];
  beforeAll(async () => {
    cluster = await startCluster();
    before = await settledInventory(cluster);
  });
  afterAll(() => cluster?.stop());

  it.each([
    ["sqlite.yaml", "1 Recreate"],
    ["postgres.yaml", "2 RollingUpdate"],
  ])(
    "of %s are taken by the API server, let checks have pods and takeovers none, and go as they came",
    async (name, expected) => {
      // A dry run makes no namespace for what comes after it; applied, the file makes its own.
      await cluster.kubectl(["create", "namespace", namespace]);
      await cluster.kubectl(["create", "namespace", jobsNamespace]);
      await cluster.kubectl(["apply", "--dry-run=server", "-f", file(name)]);
      await cluster.kubectl(["apply", "-f", file(name)]);
      const path = "jsonpath={.spec.replicas} {.spec.strategy.type}";
      const get = ["-n", namespace, "get", "deployment", "tessera", "-o", path];
      expect(await cluster.kubectl(get)).toBe(expected);
      expect(await jobBySubmitter(cluster, takeoverJob)).toContain("violates PodSecurity");
      expect(await jobBySubmitter(cluster, jobOf({ namespace: jobsNamespace }))).toContain(
        "Created pod",
      );
      await cluster.kubectl(["delete", "-f", file(name), "--timeout=120s"], { timeoutMs: 150_000 });
      await untilGone(cluster, before);
    },
  );
});
