import { describe, expect, it } from "vitest";
import { collections } from "../../support/fake-kube/index.ts";
import { startTestApi } from "./support.ts";

describe("the network routes of the first fault injection service", () => {
  it("cut pods off by prefix and clean up after all of them", async () => {
    const api = await startTestApi();
    const { status, json } = await api.send("alice", "POST", "/api/v1/faults/network/inject", {
      partition_type: "worker_nats",
      source: "prod",
      target: "nats",
      parameters: { target_pod_prefix: "vllm-", block_all_egress: true },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      fault_type: "network",
      status: "injected",
      target: "prod/app=vllm",
    });
    const id = String(json["fault_id"]);
    expect(api.kube.get(collections.networkPolicies, `prod/tessera-${id}`)).toMatchObject({
      spec: { podSelector: { matchLabels: { app: "vllm" } }, policyTypes: ["Egress"] },
    });
    const cleaned = await api.send(
      "alice",
      "POST",
      "/api/v1/faults/network/cleanup?namespace=prod",
    );
    expect(cleaned.json).toEqual({
      policies_deleted: 1,
      deleted_policy_names: [`tessera-${id}`],
      still_there: [],
    });
  });

  it.each([
    ["Chaos Mesh", { mode: "chaos_mesh" }, 501],
    [
      "a cut from one kind of pod",
      { parameters: { target_pod_prefix: "vllm", block_nats: true } },
      501,
    ],
    ["pods that are not there", { parameters: { target_pod_prefix: "none" } }, 409],
    ["every pod of the namespace", { parameters: { pod_selector: {} } }, 400],
    ["no pods", {}, 400],
    [
      "a kind of peer, with no word about what is cut",
      { partition_type: "worker_nats", parameters: { target_pod_prefix: "vllm-" } },
      501,
    ],
    [
      "a kind of peer, with only what is not cut",
      {
        partition_type: "frontend_worker",
        parameters: { target_pod_prefix: "vllm-", block_ingress: false },
      },
      501,
    ],
    [
      "neither direction",
      {
        parameters: { target_pod_prefix: "vllm-", block_ingress: false, block_all_egress: false },
      },
      400,
    ],
    [
      "an exception for every pod",
      { parameters: { target_pod_prefix: "vllm-", except_pods: {} } },
      400,
    ],
  ])("refuse a partition by %s", async (_, change, expected) => {
    const api = await startTestApi();
    const { status } = await api.send("alice", "POST", "/api/v1/faults/network/inject", {
      partition_type: "custom",
      source: "prod",
      target: "nats",
      ...change,
    });
    expect(status).toBe(expected);
    expect(await api.book.list()).toEqual([]);
  });

  it.each([
    [{}, ["Ingress", "Egress"]],
    [{ block_ingress: true }, ["Ingress"]],
    [{ block_ingress: false }, ["Egress"]],
    [{ block_all_egress: true }, ["Egress"]],
    [{ block_all_egress: false }, ["Ingress"]],
    [{ block_ingress: true, block_all_egress: true }, ["Ingress", "Egress"]],
    [{ block_ingress: true, block_all_egress: false }, ["Ingress"]],
  ])("cut the directions that are asked for: %j", async (blocked, policyTypes) => {
    const api = await startTestApi();
    const { json } = await api.send("alice", "POST", "/api/v1/faults/network/inject", {
      partition_type: "custom",
      source: "prod",
      target: "any",
      parameters: { target_pod_prefix: "vllm-", ...blocked },
    });
    const name = `prod/tessera-${String(json["fault_id"])}`;
    expect(api.kube.get(collections.networkPolicies, name)).toMatchObject({
      spec: { policyTypes },
    });
  });
});
