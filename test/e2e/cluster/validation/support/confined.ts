import { expect } from "vitest";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { podOf } from "./pods.ts";
import type { StoredRun } from "./records.ts";

/** Nothing in a pod of the check `inside` can do more than measure, by its specification and in fact. */
export async function expectConfined(
  cluster: Cluster,
  { intent, result }: StoredRun,
): Promise<void> {
  const { spec } = await podOf(cluster, intent.id);
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: {
      runAsUser: 65_532,
      runAsGroup: 65_532,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      },
    ],
  });
  expect(JSON.stringify(spec.volumes)).not.toContain("serviceAccountToken");
  expect(result?.facts).toEqual({
    uid: 65_532,
    gid: 65_532,
    CapEff: "0000000000000000",
    CapBnd: "0000000000000000",
    NoNewPrivs: "1",
    Seccomp: "2",
    root: "EROFS",
    app: "EROFS",
    tmp: "none",
    serviceAccount: false,
    secrets: [],
  });
}
