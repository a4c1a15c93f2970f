import { describe, expect, it } from "vitest";
import { readGuardFacts } from "../../../src/hardware/guard/index.ts";
import {
  fakeNodes,
  gpuNode,
  nodesPath,
  podsPath,
  runningPod,
} from "../detectors/support/fake-nodes.ts";
import { nowMs, passthroughAction, request, xidAction } from "./support.ts";

const options = { namespace: "tessera-hardware", nowMs };

describe("readGuardFacts", () => {
  it("reads what the rules need, in few requests", async () => {
    const { api, client } = await fakeNodes();
    api.put(nodesPath, gpuNode("n1"));
    api.put(
      nodesPath,
      gpuNode("n2", {
        metadata: {
          labels: { "k8saas.nvidia.com/uncordon-timestamp": "2026-11-15T11-56-00Z" },
        },
        status: { allocatable: { "nvidia.com/gpu": "8" } },
      }),
    );
    api.put(podsPath, runningPod("n1", "worker", { gpus: 1, labels: { app: "web" } }));
    api.put(podsPath, runningPod("n2", "elsewhere"));
    api.put("/api/v1/namespaces", { metadata: { name: "team", labels: { a: "b" } } });
    api.put("/apis/policy/v1/poddisruptionbudgets", {
      metadata: { name: "web", namespace: "team" },
      spec: { selector: { matchLabels: { app: "web" } } },
      status: { disruptionsAllowed: 1 },
    });
    api.put("/apis/policy/v1/poddisruptionbudgets", {
      metadata: { name: "new", namespace: "team" },
    });
    api.put("/api/v1/configmaps", {
      metadata: { name: "circuit-breaker", namespace: "nvsentinel" },
      data: { status: "TRIPPED" },
    });
    api.put("/apis/apps/v1/daemonsets", { metadata: { name: "nvidia-dcgm-exporter" } });
    const facts = await readGuardFacts(client, request(), options);
    expect(facts.nodes).toMatchObject({
      value: [
        { name: "n1", ready: "yes", hasGpus: true, countsForBreaker: false },
        { name: "n2", hasGpus: true, countsForBreaker: true },
      ],
    });
    expect(facts.pods).toMatchObject({ value: [{ name: "worker", usesGpus: true }] });
    expect(facts.budgets).toMatchObject({
      value: [{ disruptionsAllowed: 1 }, { disruptionsAllowed: 0 }],
    });
    expect(facts.namespace).toMatchObject({ value: { name: "team" } });
    expect(facts.breaker).toEqual({ known: true, value: "TRIPPED" });
    expect(facts.otherDetectors).toEqual({ known: true, value: { gpud: false, dcgm: true } });
    expect(facts.faults).toEqual({ known: true, value: [] });
    expect(api.seen.length).toBeLessThanOrEqual(9);
  });

  it("takes GPUs of init containers and claimed devices for GPUs", async () => {
    const { api, client } = await fakeNodes();
    const resources = { limits: { "nvidia.com/gpu": "1" } };
    const pods = {
      plain: {},
      init: { initContainers: [{ name: "warm-up", resources }] },
      claim: { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "one-gpu" }] },
      "no-claim": { initContainers: [{ name: "wait" }], resourceClaims: [] },
    };
    for (const [name, spec] of Object.entries(pods)) {
      const pod = runningPod("n1", name);
      api.put(podsPath, { ...pod, spec: { ...pod.spec, ...spec } });
    }
    const { pods: found } = await readGuardFacts(client, request(), options);
    const users = found.known ? found.value.filter(({ usesGpus }) => usesGpus) : [];
    expect(users.map(({ name }) => name).toSorted()).toEqual(["claim", "init"]);
  });

  it("finds that there is no namespace and no breaker, and asks for no pods without a node", async () => {
    const { api, client } = await fakeNodes();
    const facts = await readGuardFacts(client, request(passthroughAction), options);
    expect(facts.namespace).toEqual({ known: true, value: null });
    expect(facts.breaker).toEqual({ known: true, value: "absent" });
    expect(api.seen.some(({ url }) => url.pathname === podsPath)).toBe(false);
  });

  it("says what could not be read, and takes none of it for harmless", async () => {
    const { api, client } = await fakeNodes();
    api.intercept = (_, response) => {
      response.writeHead(403, { "content-type": "application/json" }).end('{"kind":"Status"}');
      return true;
    };
    const { nowMs: _, ...facts } = await readGuardFacts(client, request(xidAction()), options);
    for (const [name, fact] of Object.entries(facts))
      expect(fact, name).toMatchObject({ known: false });
  });
});
