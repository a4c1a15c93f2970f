import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile, jobOf, type MadeJob, request } from "../support/templates.ts";

describe("the default templates", () => {
  it.each(["job", "volcano"] as const)("make a %s of one pod bound to the node", (jobKind) => {
    const job = jobOf({ jobKind });
    const pod = jobKind === "job" ? job.spec.template : job.spec.tasks[0].template;
    expect(job.metadata).toMatchObject({ name: request.intent.jobName, namespace: "tessera" });
    const labels = {
      "app.kubernetes.io/managed-by": "tessera",
      "tessera.dev/cluster": "prod",
      "tessera.dev/run-id": request.intent.id,
      "tessera.dev/node": "gpu-7",
    };
    expect(job.metadata.labels).toMatchObject(labels);
    expect(pod.metadata.labels).toMatchObject(labels);
    expect(pod.spec.affinity.nodeAffinity).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchFields: [{ key: "metadata.name", operator: "In", values: ["gpu-7"] }] },
        ],
      },
    });
    const [container] = pod.spec.containers;
    expect(container.resources.limits).toEqual({ cpu: "8", memory: "64Gi", "nvidia.com/gpu": 8 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod.spec).toMatchObject({
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      activeDeadlineSeconds: 660,
      securityContext: { runAsUser: 65_532, runAsNonRoot: true },
    });
    expect(JSON.stringify(job)).not.toMatch(/\{\{|null/);
  });

  it("leave out what has no value, and put in what has", () => {
    const plain = jobOf().spec.template.spec;
    expect(plain).not.toHaveProperty("priorityClassName");
    expect(plain.volumes.map(({ name }) => name)).toEqual(["tmp", "shm"]);
    const rich = jobOf({
      priorityClass: "low",
      rdma: { resource: "rdma/hca", devices: 2 },
      imagePullSecrets: ["a", "b"],
      runAsUser: 0,
      results: { kind: "claim", claimName: "shared", mountPath: "/results" },
      tolerations: [{ key: "x", operator: "Exists" }],
    }).spec.template.spec;
    expect(rich.priorityClassName).toBe("low");
    expect(rich.imagePullSecrets).toEqual([{ name: "a" }, { name: "b" }]);
    expect(rich.securityContext).toMatchObject({ runAsUser: 0, runAsNonRoot: false });
    expect(rich.containers[0].resources.limits["rdma/hca"]).toBe(2);
    expect(rich.volumes.at(-1)).toEqual({
      name: "results",
      persistentVolumeClaim: { claimName: "shared" },
    });
    expect(rich.containers[0].volumeMounts.at(-1)).toEqual({
      name: "results",
      mountPath: "/results",
    });
    expect(rich.tolerations.at(-1)).toEqual({ key: "x", operator: "Exists" });
  });

  it("ask for no GPU where there are none", () => {
    const limits = jobOf({ gpuResource: null }).spec.template.spec.containers[0].resources.limits;
    expect(limits).toEqual({ cpu: "8", memory: "64Gi" });
  });

  it("tolerate a closed node only when it waits to be accepted", () => {
    const keys = (cordoned: boolean) =>
      jobOf({}, cordoned).spec.template.spec.tolerations.map(({ key }) => key);
    expect(keys(true)).toContain("node.kubernetes.io/unschedulable");
    expect(keys(false)).not.toContain("node.kubernetes.io/unschedulable");
  });

  it("tell the check what it must know, every value as text", () => {
    const { env } = jobOf({
      results: { kind: "host-path", path: "/mnt/x", mountPath: "/results" },
    }).spec.template.spec.containers[0];
    const told = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    expect(told).toEqual({
      HOME: "/tmp",
      TESSERA_RUN_ID: request.intent.id,
      TESSERA_RUN_TOKEN: "token-of-the-run",
      TESSERA_RESULT_URL: request.resultUrl,
      TESSERA_RESULT_DIR: "/results",
      TESSERA_NODE: "gpu-7",
      TESSERA_CHECK: "storage-io",
      TESSERA_CLUSTER: "prod",
      TESSERA_PLANNED_AT: "1750000000",
      TESSERA_RUN_TIMEOUT_MS: "600000",
      TESSERA_CHECK_OPTIONS: '{"profile":"quick"}',
    });
  });

  it("warn about an image that is not given by digest, and only then", () => {
    expect(compile().warnings).toEqual([]);
    expect(compile({ image: "tessera:latest" }).warnings[0]).toContain("not given by digest");
  });
});

describe("hostile values", () => {
  it("change no structure and are not looked into again", () => {
    const hostile = 'x"}\n- evil: {{node}} $(TESSERA_RUN_TOKEN) #';
    const { intent } = request;
    const job = compile().job({
      request: {
        ...request,
        intent: { ...intent, check: hostile, node: "n-1" },
        checkOptions: { a: hostile },
      },
      cordoned: false,
    }) as MadeJob;
    const { env } = job.spec.template.spec.containers[0];
    const value = (name: string) => env.find((one) => one.name === name)?.value ?? "";
    // The doubled sign keeps the kubelet from putting the token in.
    expect(value("TESSERA_CHECK")).toBe(hostile.replace("$(", "$$$("));
    expect(value("TESSERA_CHECK_OPTIONS")).toContain("{{node}}");
    expect(job.metadata.labels?.["tessera.dev/check"]).toMatch(/^[A-Za-z0-9][\w.-]{0,61}[\w]$/);
    expect(job.metadata.annotations?.["tessera.dev/check"]).toBe(hostile);
    expect(Object.keys(job.spec)).toEqual(Object.keys(jobOf().spec));
  });

  it("of any kind come out as they went in", () => {
    const template = compile();
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 80 }), (text) => {
        const job = template.job({
          request: { ...request, token: text },
          cordoned: false,
        }) as MadeJob;
        const { env } = job.spec.template.spec.containers[0];
        const sent = env.find(({ name }) => name === "TESSERA_RUN_TOKEN")?.value ?? "";
        expect(sent.replaceAll("$$(", "$(")).toBe(text.replaceAll("$$(", "$("));
        expect(Object.keys(job)).toEqual(["apiVersion", "kind", "metadata", "spec"]);
      }),
      { numRuns: 50 },
    );
  });

  it("as long names become labels that fit, told apart by a digest", () => {
    const long = (end: string) => `${"a".repeat(100)}.${end}`;
    const label = (node: string) =>
      compile().job({
        request: { ...request, intent: { ...request.intent, node } },
        cordoned: false,
      }).metadata.labels?.["tessera.dev/node"] ?? "";
    expect(label(long("one"))).not.toBe(label(long("two")));
    expect(label(long("one")).length).toBeLessThanOrEqual(63);
  });
});
