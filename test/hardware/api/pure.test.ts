import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultFigures } from "../../../src/hardware/api/fault-figures.ts";
import { type FaultRequest, faultRequestSchema } from "../../../src/hardware/api/fault-request.ts";
import { requestHash, specOf } from "../../../src/hardware/api/fault-spec.ts";
import { faultView } from "../../../src/hardware/api/fault-view.ts";
import { networkPolicyOf } from "../../../src/hardware/api/network-policy.ts";
import { selectorOfPrefix } from "../../../src/hardware/api/pod-selector.ts";
import { KeyedLock } from "../../../src/hardware/api/service/keyed-lock.ts";
import type { HardwareFault, PartitionAction } from "../../../src/hardware/objects/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { partitionRequest, passthroughRequest, xidRequest } from "./support.ts";

const request = faultRequestSchema.parse(xidRequest);

function shuffled(value: FaultRequest): FaultRequest {
  return Object.fromEntries(Object.entries(value).toReversed()) as FaultRequest;
}

describe("the hash of a request", () => {
  it("does not depend on the order of fields or on waiting", () => {
    expect(requestHash(shuffled(request), "alice")).toBe(requestHash(request, "alice"));
    expect(requestHash({ ...request, wait: true }, "alice")).toBe(requestHash(request, "alice"));
  });

  it("differs for every other user, node, end and number", () => {
    const hash = requestHash(request, "alice");
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(
        fc.integer({ min: 61, max: 86_400 }),
        fc.string({ minLength: 6 }),
        (end, user) => {
          expect(requestHash({ ...request, durationSeconds: end }, "alice")).not.toBe(hash);
          expect(requestHash(request, user)).not.toBe(hash);
        },
      ),
    );
  });
});

describe("the fault of a request", () => {
  const facts = (seed: number) => ({
    name: "f",
    requestedBy: "alice",
    nowMs: 1_000,
    random: createRng(seed).stream("x"),
  });

  it("has its end, its scope, its policy and an id of its own", () => {
    const spec = specOf(request, facts(1));
    expect(spec.expiresAt).toBe(new Date(61_000).toISOString());
    expect(spec.action).toMatchObject({ correlationId: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(specOf(request, facts(2)).action).not.toEqual(spec.action);
    const shim = specOf(faultRequestSchema.parse(passthroughRequest), facts(1)).action;
    expect(shim).toMatchObject({ scope: "prod.deployment.vllm" });
    const cut = specOf(faultRequestSchema.parse(partitionRequest), facts(1)).action;
    expect(cut).toMatchObject({ namespace: "prod", policy: "tessera-f", direction: "both" });
  });
});

describe("the policy of a partition", () => {
  const action: PartitionAction = {
    kind: "partition",
    namespace: "prod",
    policy: "p",
    podSelector: { app: "vllm" },
    direction: "both",
  };

  it("lets nothing through but names", () => {
    expect(networkPolicyOf(action, "f")).toMatchObject({
      metadata: { name: "p", namespace: "prod", labels: { "tessera.dev/fault": "f" } },
      spec: {
        policyTypes: ["Ingress", "Egress"],
        ingress: [],
        egress: [{ ports: [{ port: 53 }, { port: 53 }] }],
      },
    });
    expect(networkPolicyOf({ ...action, allowDns: false }, "f").spec).toMatchObject({ egress: [] });
  });

  it("cuts only the direction asked for, and not the pods excepted", () => {
    const into = networkPolicyOf(
      { ...action, direction: "ingress", exceptPods: { app: "probe" } },
      "f",
    );
    expect(into.spec).toEqual({
      podSelector: { matchLabels: { app: "vllm" } },
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: "probe" } } }] }],
    });
  });
});

describe("the selector of a prefix", () => {
  const pod = (name: string, labels: Record<string, string>) => ({ metadata: { name, labels } });

  it("selects exactly the pods of that prefix, whatever their labels, or refuses", () => {
    const labels = fc.dictionary(
      fc.constantFrom("app", "tier", "pod-template-hash"),
      fc.constantFrom("a", "b"),
    );
    const pods = fc.array(fc.tuple(fc.constantFrom("web", "db"), labels), { maxLength: 8 });
    fc.assert(
      fc.property(pods, (given) => {
        const all = given.map(([prefix, own], at) => pod(`${prefix}-${at}`, own));
        let selector: Readonly<Record<string, string>>;
        try {
          selector = selectorOfPrefix(all, "web-");
        } catch (error) {
          expect(error).toMatchObject({ code: "E_HW_REFUSED" });
          return;
        }
        const selected = all.filter(({ metadata }) =>
          Object.entries(selector).every(([key, value]) => metadata.labels[key] === value),
        );
        expect(selected).toEqual(all.filter(({ metadata }) => metadata.name.startsWith("web-")));
        expect(selector).not.toHaveProperty("pod-template-hash");
      }),
    );
  });
});

describe("the figures of faults", () => {
  const fault = (times: Record<string, number>): HardwareFault => ({
    metadata: { name: "f" },
    spec: {
      ...specOf(request, {
        name: "f",
        requestedBy: "a",
        nowMs: 0,
        random: createRng(1).stream("x"),
      }),
    },
    status: {
      state: "reverted",
      leaseUntil: new Date(0).toISOString(),
      history: (["planned", "injected", "reverted"] as const).flatMap((state) => {
        const at = times[state];
        return at === undefined ? [] : [{ at: new Date(at).toISOString(), state, by: "t" }];
      }),
    },
  });

  it("are those of what was written down, and null where nothing was", () => {
    const figures = faultFigures([
      fault({ planned: 0, injected: 1_000 }),
      fault({ planned: 0, injected: 3_000 }),
      fault({ planned: 0 }),
    ]);
    expect(figures.injectSeconds).toEqual({ count: 2, min: 1, median: 2, max: 3 });
    expect(figures.detectSeconds).toBeNull();
    expect(faultFigures([]).injectSeconds).toBeNull();
  });

  it("show times and what was left alone", () => {
    const shown = faultView(fault({ planned: 0, injected: 1_000, reverted: 2_000 }));
    expect(shown).toMatchObject({
      injectedAt: new Date(1_000).toISOString(),
      endedAt: new Date(2_000).toISOString(),
      observedAt: null,
      left: [],
    });
  });
});

describe("a lock for each key", () => {
  it("lets one in at a time, also after one that failed, and forgets keys", async () => {
    const lock = new KeyedLock();
    const order: string[] = [];
    const slow = lock.run("a", async () => {
      await Promise.resolve();
      order.push("first");
      throw new Error("no");
    });
    const next = lock.run("a", async () => void order.push("second"));
    const other = lock.run("b", async () => void order.push("other"));
    await expect(slow).rejects.toThrow("no");
    await Promise.all([next, other]);
    expect(order.indexOf("first")).toBeLessThan(order.indexOf("second"));
    expect(order[0]).toBe("other");
  });
});
