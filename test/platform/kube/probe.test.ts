import { describe, expect, it } from "vitest";
import { kubernetesProbe } from "../../../src/platform/kube/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import type { FakeApi } from "./support/fake-api.ts";
import { fakeCluster } from "./support/fake-cluster.ts";
import { kubeConfig, writeKubeConfig } from "./support/kubeconfig.ts";

const clock = createRealClock();

async function find(env: Record<string, string>, options = {}) {
  return kubernetesProbe(options).find({ clock, env, signal: new AbortController().signal });
}

/** A server that allows what `allows` says. */
async function server(allows: (verb: string) => boolean): Promise<{ api: FakeApi; path: string }> {
  const { api } = await fakeCluster();
  api.intercept = ({ url, body }, response) => {
    if (!url.pathname.endsWith("selfsubjectaccessreviews")) return false;
    const { verb } = (JSON.parse(body) as { spec: { resourceAttributes: { verb: string } } }).spec
      .resourceAttributes;
    response
      .writeHead(201)
      .end(JSON.stringify({ metadata: {}, status: { allowed: allows(verb) } }));
    return true;
  };
  const path = await writeKubeConfig(
    kubeConfig({ cluster: { server: `http://127.0.0.1:${api.port}` } }),
  );
  return { api, path };
}

function node(name: string, allocatable: Record<string, string>) {
  return { metadata: { name }, status: { allocatable } };
}

describe("the doctor's question about Kubernetes", () => {
  it("finds version, rights, nodes and GPUs of any vendor", async () => {
    const { api, path } = await server(() => true);
    api.put("/api/v1/nodes", node("a", { "nvidia.com/gpu": "8", cpu: "64", memory: "1Ti" }));
    api.put("/api/v1/nodes", node("b", { "amd.com/gpu": "4", "nvidia.com/mig-1g.5gb": "7" }));
    api.put("/api/v1/nodes", node("c", {}));
    const finding = await find({ KUBECONFIG: path });
    expect(finding).toMatchObject({
      state: "works",
      reason: "Kubernetes v1.34.0-fake answers in context c, 3 nodes with 19 GPUs.",
      evidence: { version: "v1.34.0-fake", nodes: 3, gpus: 19, login: "anonymous" },
    });
    expect(finding.evidence?.["rights"]).toMatchObject({ "list nodes": true, "patch nodes": true });
  });

  it("names the rights that are missing, and does not list without the right", async () => {
    const { api, path } = await server((verb) => verb === "watch");
    const finding = await find({ KUBECONFIG: path });
    expect(finding).toMatchObject({
      state: "limited",
      hint: expect.stringContaining("Ask for a role"),
    });
    expect(finding.reason).toContain("this user may not: list nodes; patch nodes");
    expect(finding.reason).not.toContain("watch nodes");
    expect(api.seen.some(({ url }) => url.pathname === "/api/v1/nodes")).toBe(false);
  });

  it("says that nothing is configured, and how to", async () => {
    expect(await find({ HOME: await tempDir() })).toMatchObject({
      state: "missing",
      reason: expect.stringContaining("No Kubernetes cluster is configured"),
      hint: expect.stringContaining("KUBECONFIG"),
      evidence: { code: "E_KUBECONFIG_MISSING" },
    });
  });

  it.each([
    [
      "a kubeconfig that cannot be read",
      async () => writeKubeConfig("a: ["),
      "E_KUBECONFIG_INVALID",
    ],
    [
      "a server that is not there",
      async () => writeKubeConfig(kubeConfig({ cluster: { server: "http://127.0.0.1:1" } })),
      "E_KUBE_UNREACHABLE",
    ],
    [
      "a server that refuses",
      async () => {
        const { api, path } = await server(() => true);
        api.failNext("any", { status: 401 });
        return path;
      },
      "E_KUBE_UNAUTHORIZED",
    ],
  ])("does not know with %s, and says why", async (_, prepare, code) => {
    const finding = await find({ KUBECONFIG: await prepare() });
    expect(finding).toMatchObject({ state: "unknown", evidence: { code } });
    expect(finding.reason).not.toBe("");
    expect(finding.hint).not.toBe("");
  });

  it("looks where the configuration points", async () => {
    const { path } = await server(() => true);
    const finding = await find({}, { kubeconfig: path, context: "other" });
    expect(finding.reason).toContain('no context is named "other"');
  });
});
