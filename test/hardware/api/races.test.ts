import { describe, expect, it } from "vitest";
import { carryOut } from "../../../src/hardware/api/service/index.ts";
import type { HardwareFaultStatus } from "../../../src/hardware/objects/index.ts";
import { createLogger } from "../../../src/platform/log/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { collections } from "../../support/fake-kube/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import {
  installation,
  partitionRequest,
  passthroughRequest,
  startTestApi,
  type TestApi,
  xidRequest,
} from "./support.ts";

/** Takes a fault back as a reaper elsewhere does, before it had anything to take back. */
function takenBackElsewhere(api: TestApi, name: string): void {
  const at = new Date(api.clock.nowMs()).toISOString();
  const by = "agent/gpu-1";
  api.kube.edit(collections.hardwareFaults, `${installation}/${name}`, (object) => {
    const status = object["status"] as HardwareFaultStatus;
    const history = [...(status.history ?? [])];
    for (const state of ["reverting", "reverted"] as const) history.push({ at, state, by });
    const undo = status.undo?.map((entry) => ({ ...entry, doneAt: at }));
    const end = { reason: "requested", at, by };
    object["status"] = { ...status, state: "reverted", undo, end, history };
  });
}

/** What carrying out stands on; who takes back is not asked here. */
function portsOf({ client, book, clock }: TestApi): Parameters<typeof carryOut>[0] {
  const log = createLogger({ level: "silent", format: "json", stream: { write: () => 0 }, clock });
  const reaper = { revert: (name: string) => book.get(name) };
  return { client, book, clock, reaper, log, random: createRng("races").stream("x") };
}

/** Does this right before the first such request reaches the server. */
function before(
  api: TestApi,
  method: string,
  collection: string,
  act: () => { status: number } | undefined,
): void {
  let done = false;
  api.kube.interfere = (request) => {
    if (done || request.method !== method || request.collection !== collection) return undefined;
    done = true;
    return act();
  };
}

function policy(api: TestApi, name: string, labels: Record<string, string>): void {
  api.kube.put(collections.networkPolicies, { metadata: { name, namespace: "prod", labels } });
}

const policyOf = (api: TestApi, name: string) =>
  api.kube.get(collections.networkPolicies, `prod/tessera-${name}`);
const workload = (api: TestApi) =>
  JSON.stringify(api.kube.get(collections.deployments, "prod/vllm"));

describe("a fault that is taken back while it is carried out", () => {
  it("leaves no policy, and says so", async () => {
    const api = await startTestApi();
    before(api, "POST", collections.networkPolicies, () => {
      takenBackElsewhere(api, "cut");
      return undefined;
    });
    await expect(
      api.as("alice").inject({ ...partitionRequest, name: "cut" }),
    ).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringMatching(/has ended.*taken back again/),
    });
    expect(policyOf(api, "cut")).toBeUndefined();
  });

  it("leaves no policy when it is not even known any more", async () => {
    const api = await startTestApi();
    before(api, "POST", collections.networkPolicies, () => {
      api.kube.remove(collections.hardwareFaults, `${installation}/cut`);
      return undefined;
    });
    await expect(
      api.as("alice").inject({ ...partitionRequest, name: "cut" }),
    ).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    expect(policyOf(api, "cut")).toBeUndefined();
  });

  it("leaves no shim", async () => {
    const api = await startTestApi();
    const spec = api.kube.get(collections.deployments, "prod/vllm")?.["spec"];
    before(api, "PATCH", collections.deployments, () => {
      takenBackElsewhere(api, "shim");
      return undefined;
    });
    await expect(
      api.as("alice").inject({ ...passthroughRequest, name: "shim" }),
    ).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    expect(api.kube.get(collections.deployments, "prod/vllm")).toMatchObject({ spec });
    expect(workload(api)).not.toMatch(/LD_PRELOAD|tessera/);
  });

  it("stays when nobody has ended it", async () => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...partitionRequest, name: "cut" });
    expect(policyOf(api, "cut")).toBeDefined();
  });

  it.each([
    ["requested", { end: { reason: "requested", at: "", by: "x" } }, {}],
    ["lease-missed", { leaseUntil: new Date(0).toISOString() }, {}],
    ["deleted", {}, { deletionTimestamp: new Date(0).toISOString() }],
  ] as const)("is not begun when it has ended before: %s", async (reason, status, metadata) => {
    const api = await startTestApi();
    const { id } = await api.as("alice").inject(partitionRequest);
    const fault = api.fault(id);
    if (fault?.status === undefined) throw new Error("there is no fault");
    api.kube.requests.length = 0;
    const ended = {
      ...fault,
      metadata: { ...fault.metadata, ...metadata },
      status: { ...fault.status, ...status },
    };
    const carried = carryOut(portsOf(api), ended);
    await expect(carried).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining(`has ended (${reason})`),
    });
    const writes = api.kube.requests.filter(({ method }) => method === "POST");
    expect(writes).toEqual([]);
  });
});

describe("a fault that was over before it was known to be carried out", () => {
  /** One of an API that died: what it made is there, and its end came first. */
  function leftBehind(api: TestApi, states: readonly string[]): void {
    const at = new Date(api.clock.nowMs()).toISOString();
    const history = states.map((state) => ({ at, state, by: "fault-api" }));
    const action = { kind: "partition", namespace: "prod", policy: "tessera-cut" };
    const type = { group: "networking.k8s.io", version: "v1", plural: "networkpolicies" };
    const undo = {
      ...{ kind: "object", namespace: "prod", name: "tessera-cut", doneAt: at },
      type: { ...type, kind: "NetworkPolicy", namespaced: true },
    };
    api.kube.put(collections.hardwareFaults, {
      metadata: { name: "cut", namespace: installation },
      spec: {
        ...{ run: "r", requestedBy: "user:alice", namespace: "prod", leaseSeconds: 30 },
        action: { ...action, podSelector: { app: "vllm" }, direction: "both" },
        expiresAt: new Date(api.clock.nowMs() + 60_000).toISOString(),
      },
      status: {
        ...{ state: "reverted", leaseUntil: at, history, undo: [undo] },
        end: { reason: "lease-missed", at, by: "agent/gpu-1" },
      } satisfies Record<keyof Omit<HardwareFaultStatus, "sightings" | "message">, unknown>,
    });
  }

  it("is looked at once more by the next API", async () => {
    const api = await startTestApi();
    policy(api, "tessera-cut", { "tessera.dev/fault": "cut" });
    leftBehind(api, ["planned", "armed", "reverting", "reverted"]);
    await waitUntil("the policy is gone", () => policyOf(api, "cut") === undefined);
  });

  it.each([
    ["somebody else's policy", ["planned", "armed", "reverting", "reverted"], "other"],
    ["a fault that had been carried out", ["planned", "armed", "injected", "reverted"], "cut"],
  ])("is not mistaken for %s", async (_, states, owner) => {
    const api = await startTestApi();
    policy(api, "tessera-cut", { "tessera.dev/fault": owner });
    leftBehind(api, states);
    // What comes after it has been seen too by then.
    policy(api, "tessera-next", { "tessera.dev/fault": "next" });
    await api.as("alice").inject({ ...partitionRequest, name: "later" });
    await api.as("alice").revert("later");
    expect(policyOf(api, "cut")).toBeDefined();
  });
});

describe("a spec that is cleaned while its fault ends", () => {
  it("is not left paused", async () => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...passthroughRequest, name: "shim" });
    before(api, "PATCH", collections.deployments, () => {
      takenBackElsewhere(api, "shim");
      return undefined;
    });
    await expect(api.as("alice").releaseSpec("shim")).rejects.toMatchObject({
      code: "E_HW_REFUSED",
      message: expect.stringContaining("ended"),
    });
    expect(workload(api)).not.toMatch(/LD_PRELOAD|paused|tessera/);
  });
});

describe("a policy that is there already", () => {
  it("is not taken for ours, nor deleted", async () => {
    const api = await startTestApi();
    policy(api, "tessera-cut", { team: "network" });
    await expect(
      api.as("alice").inject({ ...partitionRequest, name: "cut" }),
    ).rejects.toMatchObject({
      code: "E_HW_FAILED",
      message: expect.stringContaining("not of this fault"),
    });
    await waitUntil("it is over", () => api.fault("cut")?.status?.state === "failed");
    expect(policyOf(api, "cut")).toBeDefined();
  });

  it("is ours when an attempt before has made it", async () => {
    const api = await startTestApi();
    policy(api, "tessera-cut", { "tessera.dev/fault": "cut" });
    const { state } = await api.as("alice").inject({ ...partitionRequest, name: "cut" });
    expect(state).toBe("injected");
    await api.as("alice").revert("cut");
    expect(policyOf(api, "cut")).toBeUndefined();
  });
});

describe("a run", () => {
  it.each([
    ["of somebody else", "bob", {}],
    ["of another namespace", "alice", { namespace: "other" }],
  ])("%s cannot be joined, also when it is over", async (_, user, more) => {
    const api = await startTestApi();
    for (const right of ["alice inject other", "bob inject prod"]) api.rights.add(`user:${right}`);
    await api.as("alice").inject({ ...xidRequest, name: "first" });
    const join = () => api.as(user).inject({ ...xidRequest, ...more });
    const refused = { code: "E_HW_REFUSED", message: expect.stringContaining("run-1") };
    await expect(join()).rejects.toMatchObject(refused);
    await api.as("alice").revert("first");
    await expect(join()).rejects.toMatchObject(refused);
    await expect(api.as("alice").inject(xidRequest)).resolves.toMatchObject({ run: "run-1" });
  });

  /** As they may be in the cluster from before. */
  async function mixed(api: TestApi): Promise<void> {
    await api.as("alice").inject({ ...xidRequest, name: "here" });
    await api.as("alice").inject({ ...xidRequest, name: "there", run: "run-2" });
    api.kube.edit(collections.hardwareFaults, `${installation}/there`, (object) => {
      object["spec"] = { ...(object["spec"] as object), run: "run-1", namespace: "other" };
      object.metadata.labels = { ...object.metadata.labels, "tessera.dev/run": "run-1" };
    });
  }

  it("is renewed with the right where it is in force, whatever is over elsewhere", async () => {
    const api = await startTestApi();
    await mixed(api);
    await expect(api.as("alice").renew("run-1")).rejects.toMatchObject({ code: "E_HW_FORBIDDEN" });
    takenBackElsewhere(api, "there");
    await expect(api.as("alice").renew("run-1")).resolves.toHaveLength(1);
  });

  it("that is over tells strangers nothing", async () => {
    const api = await startTestApi();
    await api.as("alice").inject({ ...xidRequest, name: "here" });
    await api.as("alice").revert("here");
    await expect(api.as("bob").renew("run-1")).rejects.toMatchObject({ code: "E_HW_FORBIDDEN" });
  });
});
