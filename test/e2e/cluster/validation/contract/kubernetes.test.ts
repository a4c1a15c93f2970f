import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Cluster, startCluster } from "../../../../cluster/fixture.ts";
import { describeCluster } from "../../../../cluster/shared.ts";
import { distDir } from "../../../../support/built-cli.ts";
import { createKubernetesSite } from "./kubernetes-site.ts";
import { describeLoopContract } from "./loop-contract.ts";
import type { Site } from "./site.ts";

const shape = { nodes: 2, volcano: true };

describeCluster(
  "the contract of the loop on real nodes of Kubernetes",
  () => {
    const sites = new Map<string, Site>();
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({ ...shape, bundle: join(distDir, "bundle", "tessera.mjs") });
      for (const kind of ["job", "volcano"] as const) {
        sites.set(kind, await createKubernetesSite(cluster, kind));
      }
    });
    afterAll(() => cluster?.stop());
    const site = (kind: string): Site => {
      const found = sites.get(kind);
      if (found === undefined) throw new Error(`there is no site ${kind}`);
      return found;
    };

    describeLoopContract("with plain Jobs", () => site("job"));
    describeLoopContract("with Volcano's Jobs", () => site("volcano"));
  },
  shape,
);
