import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { hardwareManifestPages } from "../../../scripts/docs/hardware-manifests.ts";
import { commandTable } from "../../../src/cli/commands/index.ts";
import {
  type HardwareManifestOptions,
  hardwareManifests,
  hardwareRights,
} from "../../../src/hardware/deployment/index.ts";

const root = join(import.meta.dirname, "../../..");
const base = { image: "tessera:test", namespacesUnderTest: ["serving", "training"] };

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly ports?: unknown;
  readonly resources: { readonly limits: Record<string, string>; readonly requests: object };
  readonly securityContext: {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation: boolean;
    readonly readOnlyRootFilesystem: boolean;
    readonly capabilities: { readonly drop: readonly string[]; readonly add?: readonly string[] };
  };
}
interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: unknown;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext: { readonly runAsNonRoot?: boolean; readonly seccompProfile: object };
  readonly volumes: readonly { readonly hostPath?: { readonly path: string } }[];
}
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
interface Found {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

function objects(more: Partial<HardwareManifestOptions> = {}): readonly Found[] {
  return hardwareManifests({ ...base, ...more }) as unknown as readonly Found[];
}

function podSpecs(): readonly [string, PodSpec][] {
  return objects().flatMap(({ metadata, spec }) =>
    spec?.template === undefined ? [] : [[metadata.name, spec.template.spec] as [string, PodSpec]],
  );
}

function role(name: string, more: Partial<HardwareManifestOptions> = {}): readonly Rule[] {
  return objects(more)
    .filter(({ metadata, rules }) => metadata.name === name && rules !== undefined)
    .flatMap(({ rules = [] }) => rules);
}

describe("the manifests of an installation", () => {
  it("have no privileged container and nothing of the host's namespaces", () => {
    const specs = podSpecs();
    expect(specs.map(([name]) => name)).toEqual([
      "tessera-fault-api",
      "tessera-kmsg-device",
      "tessera-agent",
    ]);
    for (const [, spec] of specs) {
      expect(spec).toMatchObject({
        securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const field of ["hostNetwork", "hostPID", "hostIPC", "initContainers"]) {
        expect(spec).not.toHaveProperty(field);
      }
      for (const { securityContext } of spec.containers) {
        expect(securityContext).not.toHaveProperty("privileged");
        expect(securityContext.allowPrivilegeEscalation).toBe(false);
        expect(securityContext.readOnlyRootFilesystem).toBe(true);
        expect(securityContext.capabilities.drop).toEqual(["ALL"]);
      }
    }
  });

  it("give the agent SYSLOG alone, the API no root, and the plugin no token", () => {
    const specs = Object.fromEntries(podSpecs());
    const added = Object.entries(specs).map(([name, { containers }]) => [
      name,
      containers.flatMap((one) => one.securityContext.capabilities.add ?? []),
    ]);
    expect(Object.fromEntries(added)).toEqual({
      "tessera-fault-api": [],
      "tessera-kmsg-device": [],
      "tessera-agent": ["SYSLOG"],
    });
    expect(specs["tessera-fault-api"]?.securityContext.runAsNonRoot).toBe(true);
    expect(specs["tessera-kmsg-device"]?.automountServiceAccountToken).toBe(false);
  });

  it("mount no more of a node than the control folder, the plugin's folder and the device", () => {
    const paths = podSpecs().flatMap(([, { volumes }]) =>
      volumes.flatMap(({ hostPath }) => hostPath?.path ?? []),
    );
    expect(paths.toSorted()).toEqual([
      "/dev/kmsg",
      "/var/lib/kubelet/device-plugins",
      "/var/lib/tessera/cuda-fault",
    ]);
  });

  it("let nothing listen beyond loopback, and nothing in", () => {
    for (const [, { containers }] of podSpecs()) {
      for (const { args, ports } of containers) {
        expect(ports).toBeUndefined();
        for (const one of args.filter((text) => text.startsWith("--host"))) {
          expect(one).toBe("--host=127.0.0.1");
        }
      }
    }
    expect(objects().some(({ kind }) => kind === "Service" || kind === "Ingress")).toBe(false);
    expect(objects().find(({ metadata }) => metadata.name === "tessera-no-ingress")?.spec).toEqual({
      podSelector: {},
      policyTypes: ["Ingress"],
    });
  });

  it("limit what each container uses", () => {
    for (const [, { containers }] of podSpecs()) {
      for (const { resources } of containers) {
        expect(resources.limits).toMatchObject({
          cpu: expect.any(String),
          memory: expect.any(String),
        });
        expect(resources.requests).toMatchObject({ cpu: expect.any(String) });
      }
    }
  });

  it("call commands that exist, with options that they have", () => {
    const commands = new Map(commandTable.specs.map((spec) => [spec.name, spec]));
    for (const [, { containers }] of podSpecs()) {
      for (const { args } of containers) {
        const words = args.filter((one) => !one.startsWith("--"));
        const spec = commands.get(words.join(" "));
        expect(spec, words.join(" ")).toBeDefined();
        const flags = spec?.options?.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0]) ?? [];
        for (const one of args.filter((text) => text.startsWith("--"))) {
          expect(flags, `${words.join(" ")} ${one}`).toContain(one.split("=")[0]);
        }
      }
    }
  });
});

describe("the rights of an installation", () => {
  it("have no wildcard and say what each is for", () => {
    const rules = objects().flatMap(({ rules = [] }) => rules);
    expect(rules.length).toBeGreaterThan(20);
    expect(JSON.stringify(rules)).not.toContain("*");
    for (const right of hardwareRights) expect(right.why).not.toBe("");
  });

  it("never include secrets, pods/exec, making roles, or deleting nodes and pods", () => {
    const rules = objects({ detector: "drain" }).flatMap(({ rules = [] }) => rules);
    for (const { resources, verbs, apiGroups } of rules) {
      expect(resources).not.toContain("secrets");
      expect(resources).not.toContain("pods/exec");
      expect(apiGroups).not.toContain("rbac.authorization.k8s.io");
      expect(verbs).not.toContain("impersonate");
      if (resources.some((one) => one === "nodes" || one === "pods")) {
        expect(verbs).not.toContain("delete");
      }
    }
  });

  it("let nobody but the API make faults, and people only speak to it", () => {
    const creators = objects().filter(({ rules = [] }) =>
      rules.some(
        ({ resources, verbs }) =>
          resources.includes("hardwarefaults") &&
          ["create", "patch", "delete"].some((verb) => verbs.includes(verb)),
      ),
    );
    expect(creators.map(({ metadata }) => metadata.name)).toEqual(["tessera-fault-api"]);
    expect(role("tessera-hardware-viewer")).toEqual([
      { apiGroups: ["tessera.dev"], resources: ["hardwarefaults"], verbs: ["plan", "read"] },
    ]);
    const verbs = ["plan", "inject", "renew", "revert", "read"];
    expect(role("tessera-hardware-injector")).toEqual([
      { apiGroups: ["tessera.dev"], resources: ["hardwarefaults"], verbs },
    ]);
    expect(role("tessera-hardware-auditor")[0]?.verbs).toEqual(["read", "audit"]);
    expect(role("tessera-hardware-runner")[0]?.verbs).not.toContain("audit");
  });

  it("let somebody who tests do what it takes to forward a port to the API", () => {
    expect(role("tessera-hardware-runner-access")).toContainEqual({
      apiGroups: ["apps"],
      resources: ["deployments"],
      resourceNames: ["tessera-fault-api"],
      verbs: ["get"],
    });
    // By a WebSocket it is a get, by SPDY a create.
    const ports = ["pods/portforward"];
    const verbs = ["get", "create"];
    expect(role("tessera-hardware-runner-access")).toContainEqual({
      apiGroups: [""],
      resources: ports,
      verbs,
    });
  });

  it("let the agent evict only where it drains", () => {
    const evicts = (detector: "cordon" | "drain") =>
      role("tessera-agent", { detector }).some(({ resources }) =>
        resources.includes("pods/eviction"),
      );
    expect(evicts("drain")).toBe(true);
    expect(evicts("cordon")).toBe(false);
  });

  it("reach only the namespaces under test, with the kinds that were named", () => {
    const customWorkloads = [{ group: "nvidia.com", plural: "dynamographdeployments" }];
    const namespaced = objects({ customWorkloads }).filter(
      ({ kind, metadata }) => kind === "Role" && metadata.namespace !== "tessera-hardware",
    );
    expect(namespaced.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      "serving/tessera-fault-api",
      "serving/tessera-agent",
      "training/tessera-fault-api",
      "training/tessera-agent",
    ]);
    for (const { rules = [] } of namespaced) {
      expect(rules).toContainEqual({
        apiGroups: ["nvidia.com"],
        resources: ["dynamographdeployments"],
        verbs: ["get", "patch"],
      });
    }
    expect(JSON.stringify(objects())).not.toContain("dynamographdeployments");
  });
});

describe("deploy/hardware", () => {
  it("is what the code says; `npm run docs` brings it up to date", () => {
    for (const { path, render } of hardwareManifestPages) {
      const file = join(root, path);
      expect(existsSync(file) ? readFileSync(file, "utf8") : "", path).toBe(render());
    }
    const known = hardwareManifestPages.map(({ path }) => path).toSorted();
    const found = readdirSync(join(root, "deploy/hardware"), { recursive: true })
      .map(String)
      .filter((path) => path.endsWith(".yaml"))
      .map((path) => `deploy/hardware/${path}`);
    expect(found.toSorted()).toEqual(known);
  });

  it("reads back as the objects, whole", () => {
    const read = hardwareManifestPages.flatMap(({ render }) =>
      parseAllDocuments(render()).map((document) => document.toJS() as unknown),
    );
    const shipped = {
      image: "registry.example/tessera-node:1.0",
      namespacesUnderTest: ["inference"],
    };
    expect(read).toEqual(JSON.parse(JSON.stringify(hardwareManifests(shipped))));
  });
});
