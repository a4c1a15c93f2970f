import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { graceMs } from "../../src/control/experiments/carry-out.ts";
import { leaseNameOf } from "../../src/validation/clusters/kubernetes/index.ts";
import { repositoryRoot } from "../cluster/machine/repository.ts";
import { loadYaml } from "../platform/config/load.ts";
import { copiedFiles } from "./support/copied-files.ts";
import {
  chartFolder,
  leastValues,
  lint,
  noHelm,
  type Rendered,
  render,
  type Values,
} from "./support/helm.ts";
import { plainManifests } from "./support/plain-manifests.ts";

interface PodTemplate {
  readonly replicas: number;
  readonly strategy: { readonly type: string };
  readonly template: {
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly securityContext: object;
      readonly enableServiceLinks: boolean;
      readonly hostNetwork?: boolean;
      readonly volumes: readonly Readonly<Record<string, unknown>>[];
      readonly containers: readonly {
        readonly image: string;
        readonly args: readonly string[];
        readonly startupProbe: {
          readonly periodSeconds: number;
          readonly failureThreshold: number;
        };
        readonly securityContext: object;
        readonly resources: { readonly limits: object; readonly requests: object };
        readonly env: readonly { readonly name: string; readonly value?: string }[];
      }[];
    };
  };
}

function podOf(values: Values): PodTemplate {
  const found = render(values).find(({ kind }) => kind === "Deployment");
  return found?.spec as unknown as PodTemplate;
}

/** The configuration that a pod reads, read as it reads it. */
async function configOf(values: Values) {
  const found = render(values).find(
    ({ kind, data }) => kind === "ConfigMap" && data?.["tessera.yaml"],
  );
  return (await loadYaml(found?.data?.["tessera.yaml"] ?? "")).values;
}

/** Jobs in a namespace of their own. */
const apart = { ...leastValues, validation: { image: "i:1", namespace: "gpu-jobs" } };
const postgres = { engine: "postgres", postgres: { existingSecret: "store" } };

describe.skipIf(noHelm !== "")(`the rendered chart${noHelm}`, () => {
  it("has nothing for lint to say", () => {
    expect(lint(leastValues)).toContain("1 chart(s) linted, 0 chart(s) failed");
  });

  it("is a configuration that Tessera accepts, with validation on and acting and injection off", async () => {
    const config = await configOf(leastValues);
    expect(config.server).toMatchObject({ host: "0.0.0.0", tokenFile: "/etc/tessera/admin/token" });
    expect(config.validation.enabled).toBe(true);
    expect(config.validation.clusters).toEqual([
      {
        name: "in-cluster",
        kind: "kubernetes",
        namespace: "tessera",
        image: "registry.example/tessera-node:1.0",
        scheduler: "job",
        resultUrl: "http://tessera.tessera.svc:7070",
        actAs: { reader: "tessera/tessera-reader", submitter: "tessera/tessera-submitter" },
        ownedByLease: true,
        act: { mode: "dry-run" },
      },
    ]);
    expect(config).not.toHaveProperty("hardware.faultApiUrl");
  });

  it("takes further settings into it, for the cluster, the section and the whole", async () => {
    const config = await configOf({
      ...leastValues,
      validation: {
        image: "i:1",
        act: "on",
        namespace: "gpu-jobs",
        cluster: { gpuResource: null, cpu: "2" },
        settings: { policy: "stale", limits: { inFlight: 9 } },
      },
      config: { log: { level: "debug" } },
    });
    expect(config.validation).toMatchObject({ policy: "stale", limits: { inFlight: 9 } });
    expect(config.validation.clusters[0]).toMatchObject({
      cpu: "2",
      act: { mode: "on" },
      actAs: { cordoner: "tessera/tessera-cordoner" },
    });
    expect(config.log).toMatchObject({ level: "debug", format: "json" });
  });

  it("owns the Lease of the loop, so that it goes with the release", () => {
    const leases = render({ ...leastValues, validation: { image: "i:1", name: "gpu-prod" } })
      .filter(({ kind }) => kind === "Lease")
      .map(({ metadata }) => metadata.name);
    expect(leases).toEqual([leaseNameOf("gpu-prod")]);
  });

  it("runs nothing privileged: nobody's user, a root that cannot be written, no capability", () => {
    const { spec } = podOf(leastValues).template;
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(spec.enableServiceLinks).toBe(false);
    expect(spec.hostNetwork).toBeUndefined();
    expect(spec.containers).toHaveLength(1);
    expect(spec.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(spec.containers[0]?.resources.limits).toHaveProperty("memory");
    expect(JSON.stringify(spec.volumes)).not.toContain("hostPath");
  });

  it("starts anew with another token of its own, and says nothing of one that is somebody's", () => {
    const template = (values: Values) =>
      render(values).find(({ kind }) => kind === "Deployment")?.spec?.["template"] as Rendered;
    const sum = (values: Values) => template(values).metadata.annotations?.["checksum/admin-token"];
    const objects = render(leastValues);
    const token = objects.find(({ kind }) => kind === "Secret")?.data?.["token"] ?? "";
    const deployment = objects.find(({ kind }) => kind === "Deployment")?.spec?.["template"];
    const digest = createHash("sha256").update(token).digest("hex").slice(0, 16);
    expect((deployment as Rendered).metadata.annotations?.["checksum/admin-token"]).toBe(digest);
    expect(sum({ ...leastValues, adminToken: { existingSecret: "theirs" } })).toBeUndefined();
  });

  it("is one replica with SQLite and two with PostgreSQL, whose URL stays in its Secret", () => {
    expect(podOf(leastValues)).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
    const two = podOf({ ...leastValues, store: postgres });
    expect(two).toMatchObject({ replicas: 2, strategy: { type: "RollingUpdate" } });
    expect(two.template.spec.containers[0]?.env).toContainEqual({
      name: "TESSERA_STORE_URL",
      valueFrom: { secretKeyRef: { name: "store", key: "url" } },
    });
    expect(render({ ...leastValues, store: postgres }).map(({ kind }) => kind)).not.toContain(
      "PersistentVolumeClaim",
    );
  });

  it("knows the fault API by an account of its own, where injection is on", async () => {
    const injection = {
      enabled: true,
      faultApiUrl: "https://faults.example",
      namespaces: ["shop"],
    };
    const values = { ...apart, injection };
    const config = await configOf(values);
    expect(config.hardware).toEqual({
      faultApiUrl: "https://faults.example",
      tokenFile: "/etc/tessera/injector/token",
    });
    const volumes = JSON.stringify(podOf(values).template.spec.volumes);
    expect(volumes).toContain("tessera-injector");
    expect(JSON.stringify(podOf(leastValues).template.spec.volumes)).not.toContain("injector");
  });

  it("lets the API start experiments where that is said, in clusters as their own account", async () => {
    const namespaces = ["training"];
    const worlds = ["sim", "kubernetes"];
    const config = await configOf({ ...apart, experiments: { worlds, namespaces } });
    expect(config.experiments).toMatchObject({ worlds, actAs: "tessera/tessera-experimenter" });
    const host = await configOf({ ...apart, experiments: { worlds: ["host"], namespaces } });
    expect(host.experiments).toMatchObject({ worlds: ["host"] });
    expect(host).not.toHaveProperty("experiments.actAs");
    expect(await configOf(apart)).not.toHaveProperty("experiments.worlds");
  });

  it("waits at its end for what experiments of each world have to undo", () => {
    const secondsOf = (experiments: Values) =>
      podOf({ ...apart, experiments }).template.spec.terminationGracePeriodSeconds;
    for (const world of ["sim", "host", "kubernetes", "slurm"] as const) {
      const seconds = secondsOf({ worlds: [world], namespaces: ["training"] });
      expect(seconds, world).toBeGreaterThanOrEqual(graceMs[world] / 1000 + 30);
    }
    expect(secondsOf({ worlds: ["host", "slurm"] })).toBe(secondsOf({ worlds: ["slurm"] }));
    expect(secondsOf({ worlds: ["sim"] })).toBe(secondsOf({}));
  });

  it("gives a start the time that is said", () => {
    const secondsOf = (values: Values) => {
      const probe = podOf(values).template.spec.containers[0]?.startupProbe;
      return (probe?.periodSeconds ?? 0) * (probe?.failureThreshold ?? 0);
    };
    expect(secondsOf(leastValues)).toBe(300);
    expect(secondsOf({ ...leastValues, startupTimeoutSeconds: 3599 })).toBe(3600);
  });

  it("has alert rules and the dashboard where they are wanted", () => {
    const monitoring = {
      serviceMonitor: { enabled: true, tokenSecret: "prometheus" },
      prometheusRule: { enabled: true },
      grafanaDashboard: { enabled: true },
    };
    const kinds = (values: Values) => render(values).map(({ kind }) => kind);
    const objects = render({ ...leastValues, monitoring });
    const rules = objects.find(({ kind }) => kind === "PrometheusRule")?.spec;
    expect(rules?.["groups"]).toEqual(
      parse(readFileSync(join(chartFolder, "files/alerts.yaml"), "utf8")).groups,
    );
    const board = objects.find(({ data }) => data?.["tessera.json"] !== undefined);
    expect(JSON.parse(board?.data?.["tessera.json"] ?? "")).toHaveProperty("panels");
    expect(kinds({ ...leastValues, monitoring })).toContain("ServiceMonitor");
    expect(kinds(leastValues)).not.toContain("ServiceMonitor");
    expect(kinds(leastValues)).not.toContain("PrometheusRule");
  });

  it("keeps the claim over an uninstall only where that is said", () => {
    const kept = (keep: boolean) =>
      render({ ...leastValues, store: { sqlite: { keep } } }).find(
        ({ kind }) => kind === "PersistentVolumeClaim",
      )?.metadata.annotations?.["helm.sh/resource-policy"];
    expect(kept(true)).toBe("keep");
    expect(kept(false)).toBeUndefined();
  });

  it("mounts what it is given, such as Secrets of notification targets", () => {
    const volume = { name: "slack", secret: { secretName: "slack" } };
    const mount = { name: "slack", mountPath: "/run/secrets/slack", readOnly: true };
    const { spec } = podOf({
      ...leastValues,
      extraVolumes: [volume],
      extraVolumeMounts: [mount],
    }).template;
    expect(spec.volumes).toContainEqual(volume);
    expect(spec.containers[0]).toHaveProperty("volumeMounts", expect.arrayContaining([mount]));
    expect(JSON.stringify(podOf(leastValues))).not.toContain("slack");
  });

  it("lets a pod that is not ready be evicted, so that no drain waits for it", () => {
    const budget = render(leastValues).find(({ kind }) => kind === "PodDisruptionBudget");
    expect(budget?.spec).toMatchObject({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    });
  });

  it("has names of its own for each release", () => {
    const names = (release: string) =>
      render(leastValues, release, "a").map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const both = [...names("one"), ...names("two")].filter((name) => !name.startsWith("Lease"));
    expect(new Set(both).size).toBe(both.length);
  });

  it("takes a digest before a tag", () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const image = (more: object) =>
      podOf({ ...leastValues, image: { repository: "r.example/t", ...more } }).template.spec
        .containers[0]?.image;
    expect(image({ tag: "2", digest })).toBe(`r.example/t@${digest}`);
    expect(image({ tag: "2" })).toBe("r.example/t:2");
    expect(image({})).toBe("r.example/t:0.1.0");
  });
});

describe("the chart", () => {
  it.each(copiedFiles)("has a copy of $from", ({ from, to }) => {
    const read = (path: string) => readFileSync(join(repositoryRoot(), path), "utf8");
    expect(read(to)).toBe(read(from));
  });

  it("has the version of the package", () => {
    const read = (path: string) => readFileSync(join(repositoryRoot(), path), "utf8");
    const { version } = JSON.parse(read("package.json")) as { readonly version: string };
    expect(parse(read("charts/tessera/Chart.yaml"))).toMatchObject({
      version,
      appVersion: version,
    });
  });

  it.skipIf(noHelm !== "").each(plainManifests)(
    `rendered is $path${noHelm}`,
    ({ path, render: text }) => {
      expect(readFileSync(join(repositoryRoot(), path), "utf8")).toBe(text());
    },
  );
});
