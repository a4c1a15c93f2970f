import { describe, expect, test } from "vitest";
import { type RankJobOptions, rankJobManifests } from "../../../../src/runtime/ranks/index.ts";

const options: RankJobOptions = {
  kind: "job",
  name: "measure",
  namespace: "qa",
  ranks: 3,
  image: "registry.example/tessera:1",
  task: "collective",
  input: { op: "all-reduce" },
  secret: "the secret of this run",
};

interface Pod {
  readonly spec: {
    readonly subdomain?: string;
    readonly automountServiceAccountToken: boolean;
    readonly securityContext: object;
    readonly affinity: object;
    readonly containers: readonly [
      {
        readonly args: readonly string[];
        readonly env: readonly { name: string; value?: string }[];
        readonly securityContext: object;
        readonly resources: { readonly limits: object };
      },
    ];
  };
}

function podOf(kind: RankJobOptions["kind"], change: Partial<RankJobOptions> = {}): Pod {
  const job = rankJobManifests({ ...options, ...change, kind }).at(-1) as {
    spec: { template?: Pod; tasks?: readonly [{ template: Pod }] };
  };
  const pod = job.spec.template ?? job.spec.tasks?.[0].template;
  if (pod === undefined) throw new Error("there is a pod");
  return pod;
}

const valueOf = (pod: Pod, variable: string) =>
  pod.spec.containers[0].env.find(({ name }) => name === variable)?.value;

describe("manifests of ranks", () => {
  test("an indexed Job has as many pods as ranks, found through a headless Service", () => {
    const [secret, policy, service, job] = rankJobManifests(options);
    expect(secret).toMatchObject({ kind: "Secret", stringData: { secret: options.secret } });
    expect(policy).toMatchObject({ kind: "NetworkPolicy", spec: { policyTypes: ["Ingress"] } });
    expect(service).toMatchObject({
      kind: "Service",
      metadata: { name: "measure", namespace: "qa" },
      spec: { clusterIP: "None", publishNotReadyAddresses: true },
    });
    expect(job).toMatchObject({
      apiVersion: "batch/v1",
      spec: { completionMode: "Indexed", completions: 3, parallelism: 3, backoffLimit: 0 },
    });
    const pod = podOf("job");
    expect(pod.spec.subdomain).toBe("measure");
    expect(valueOf(pod, "TESSERA_RENDEZVOUS")).toBe("measure-0.measure:29500");
  });

  test("a Volcano Job starts all ranks or none, and takes names from its plug-ins", () => {
    const manifests = rankJobManifests({ ...options, kind: "volcano" });
    expect(manifests.map(({ kind }) => kind)).toEqual(["Secret", "NetworkPolicy", "Job"]);
    expect(manifests.at(-1)).toMatchObject({
      apiVersion: "batch.volcano.sh/v1alpha1",
      spec: { minAvailable: 3, plugins: { env: [], svc: [expect.any(String)] } },
    });
    expect(valueOf(podOf("volcano"), "TESSERA_RENDEZVOUS")).toBe("measure-rank-0.measure:29500");
  });

  test.each(["job", "volcano"] as const)(
    "%s: pods have no rights and no secrets in sight",
    (kind) => {
      const pod = podOf(kind);
      const [container] = pod.spec.containers;
      expect(pod.spec.automountServiceAccountToken).toBe(false);
      expect(pod.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(container.args).toEqual(["agent", "rank", "collective"]);
      expect(JSON.stringify(pod)).not.toContain(options.secret);
      expect(JSON.stringify(pod.spec.affinity)).toContain("kubernetes.io/hostname");
    },
  );

  test("GPUs are asked for only where there are some, and root never runs", () => {
    expect(podOf("job").spec.containers[0].resources.limits).not.toHaveProperty("nvidia.com/gpu");
    const limits = podOf("job", { gpus: 8 }).spec.containers[0].resources.limits;
    expect(limits).toMatchObject({ "nvidia.com/gpu": "8" });
    expect(() => rankJobManifests({ ...options, userId: 0 })).toThrow("root");
    expect(() => rankJobManifests({ ...options, name: "Not A Name" })).toThrow("name");
  });
});
