import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NodeSurface } from "../../../../src/hardware/agent/detector/node-surface.ts";
import { hardwareFaults } from "../../../../src/hardware/objects/index.ts";
import { snapshotNode, takeBack } from "../../../../src/hardware/undo/index.ts";
import { type KubeClient, resourceTypes } from "../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { type Cluster, startCluster } from "../../../cluster/fixture.ts";
import { describeCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { clock } from "../kube/support/connect.ts";
import { clientWith, signedAgain, tokenOf } from "./deployed/accounts.ts";
import { calls, held, request, type Verb, verbs } from "./deployed/api-calls.ts";
import { type ApiAnswer, type ApiCall, askApi } from "./deployed/ask-api.ts";
import { heldRights, listedRights } from "./deployed/held-rights.ts";
import { shownOn } from "./deployed/shown-on.ts";
import { type Installation, install, underTest } from "./support/installation.ts";

const installed = "tessera-hardware";
/** The tokens here are good for two at the most. */
const hourSeconds = 3600;

describeCluster("who may break hardware, by the real API server", () => {
  let cluster: Cluster;
  let installation: Installation;
  let folder = "";
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-rights-"));
    cluster = await startCluster({});
    installation = await install(cluster, folder, { nodes: [], detector: "cordon" });
    tokens.set("runner", installation.runnerToken);
    for (const name of ["nobody", "viewer", "auditor", "overseer"]) await addAccount(name);
    await bind("viewer", underTest, "--clusterrole=tessera-hardware-viewer");
    await bind("auditor", underTest, "--clusterrole=tessera-hardware-auditor");
    await bind("overseer", installed, "--clusterrole=tessera-hardware-auditor");
    for (const verb of verbs) {
      await addRole(`only-${verb}`, [verb]);
      await addRole(
        `all-but-${verb}`,
        verbs.filter((one) => one !== verb),
      );
    }
    const made = { method: "POST", path: "/api/v1/faults", body: held } as const;
    await waitUntil("the runner's fault is made", async () => (await ask("runner", made)).ok);
  }, 300_000);
  afterAll(async () => {
    await installation?.stop();
    await cluster?.stop();
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  async function addAccount(name: string): Promise<void> {
    await cluster.kubectl(["-n", underTest, "create", "serviceaccount", name]);
    tokens.set(name, await tokenOf(cluster, { name, namespace: underTest }));
  }

  async function bind(name: string, namespace: string, role: string): Promise<void> {
    const subject = `--serviceaccount=${underTest}:${name}`;
    await cluster.kubectl(["-n", namespace, "create", "rolebinding", name, role, subject]);
  }

  async function addRole(name: string, allowed: readonly Verb[]): Promise<void> {
    await addAccount(name);
    const rights = [...allowed.map((verb) => `--verb=${verb}`), "--resource=hardwarefaults"];
    await cluster.kubectl(["-n", underTest, "create", "role", name, ...rights]);
    await bind(name, underTest, `--role=${name}`);
  }

  const userOf = (name: string) => `system:serviceaccount:${underTest}:${name}`;
  const ask = async (
    name: string,
    call: ApiCall,
  ): Promise<ApiAnswer & { readonly ok: boolean }> => {
    const answer = await askApi(installation.apiUrl, tokens.get(name), call);
    return { ...answer, ok: answer.status < 300 };
  };
  const entries = async (namespace?: string) => {
    const query = namespace === undefined ? "" : `&namespace=${namespace}`;
    const who = namespace === undefined ? "overseer" : "auditor";
    const { body } = await ask(who, { path: `/api/v1/audit?limit=500${query}` });
    return body["entries"] as readonly {
      readonly actor: string;
      readonly action: string;
      readonly details: Readonly<Record<string, unknown>>;
    }[];
  };
  const clientOf = async (name: string, more: readonly string[] = []): Promise<KubeClient> =>
    await clientWith(cluster, await tokenOf(cluster, { name, namespace: installed }, more));

  it.each(verbs)(
    "refuses %s to somebody with every other right, and writes it down",
    async (verb) => {
      const name = `all-but-${verb}`;
      for (const call of calls[verb]) {
        const { status, body } = await ask(name, call);
        expect({ status, code: body["code"], detail: body["detail"] }, call.path).toEqual({
          status: 403,
          code: "E_HW_FORBIDDEN",
          detail: `${userOf(name)} may not ${verb} hardware faults in namespace ${underTest}.`,
        });
      }
      const refused = (await entries(underTest)).filter(({ actor }) => actor === userOf(name));
      expect(refused).toHaveLength(calls[verb].length);
      for (const { details } of refused) {
        const why = { outcome: "refused", code: "E_HW_FORBIDDEN", verb, namespace: underTest };
        expect(details).toMatchObject(why);
      }
      const { body } = await ask("runner", { path: "/api/v1/faults/held" });
      expect(body["status"]).toBe("injected");
    },
  );

  it.each(verbs)("is content with %s alone where nothing else is done", async (verb) => {
    const name = `only-${verb}`;
    const own = { ...request, name: `of-${verb}`, run: `of-${verb}` };
    if (verb === "revert") {
      await ask("runner", { method: "POST", path: "/api/v1/faults", body: own });
    }
    const [call] = {
      ...calls,
      inject: [{ method: "POST", path: "/api/v1/faults", body: own }] as const,
      revert: [{ method: "POST", path: "/api/v1/faults/of-revert/recover" }] as const,
    }[verb];
    const answer = await ask(name, call ?? { path: "" });
    expect(answer.ok, JSON.stringify(answer)).toBe(true);
    const done = (await entries(underTest)).find(({ actor }) => actor === userOf(name));
    expect(done?.details).toMatchObject({ outcome: "done", verb, namespace: underTest });
  });

  it("lets the shipped roles do what they are for, and nobody anything", async () => {
    const may = async (name: string) => {
      const seen: string[] = [];
      for (const verb of verbs) {
        if (verb === "revert") continue;
        const call = calls[verb][0] ?? { path: "" };
        const { status } = await ask(name, call);
        if (status !== 403) seen.push(verb);
      }
      return seen;
    };
    expect(await may("nobody")).toEqual([]);
    expect(await may("viewer")).toEqual(["plan", "read"]);
    expect(await may("auditor")).toEqual(["read", "audit"]);
    expect(await may("runner")).toEqual(["plan", "inject", "renew", "read"]);
    // Of the whole installation only for those who may read it there.
    expect((await ask("auditor", { path: "/api/v1/audit" })).status).toBe(403);
    expect((await ask("runner", { path: "/metrics" })).status).toBe(403);
    expect((await ask("overseer", { path: "/metrics" })).status).toBe(200);
  });

  it("lets nobody in by a token that is not good, and writes that down", async () => {
    const good = tokens.get("runner") ?? "";
    const [head, body] = good.split(".");
    const elsewhere = { name: "runner", namespace: underTest };
    const bad = {
      none: undefined,
      nonsense: "nonsense",
      changed: `${head}.${body}.${Buffer.from("signature").toString("base64url")}`,
      expired: signedAgain(cluster, good, { earlierSeconds: hourSeconds * 3 }),
      "for somebody else": await tokenOf(cluster, elsewhere, ["--audience=elsewhere"]),
    };
    const read = { path: `/api/v1/faults?namespace=${underTest}` };
    const inject = { method: "POST", path: "/api/v1/faults", body: request } as const;
    const before = (await entries()).filter(({ details }) => details["outcome"] === "refused");
    for (const [kind, token] of Object.entries(bad)) {
      for (const call of [read, inject]) {
        const { status } = await askApi(installation.apiUrl, token, call);
        expect(status, `${kind}: ${call.path}`).toBe(401);
      }
    }
    const after = (await entries()).filter(({ details }) => details["outcome"] === "refused");
    const added = after.slice(0, after.length - before.length);
    expect(added).toHaveLength(2 * Object.keys(bad).length);
    expect(added.every(({ actor }) => !actor.startsWith("system:"))).toBe(true);
    expect(JSON.stringify(after)).not.toContain(good.slice(-40));
    // The same, signed in the same way and a minute older, is good.
    const younger = signedAgain(cluster, good, { earlierSeconds: 60 });
    expect((await askApi(installation.apiUrl, younger, read)).status).toBe(200);
  });

  it("forgets a right that was taken away at once", async () => {
    const read = { path: `/api/v1/faults?namespace=${underTest}` };
    expect((await ask("viewer", read)).status).toBe(200);
    await cluster.kubectl(["-n", underTest, "delete", "rolebinding", "viewer"]);
    // The API server itself learns of it a moment later.
    await waitUntil("it is refused", async () => (await ask("viewer", read)).status === 403);
    await bind("viewer", underTest, "--clusterrole=tessera-hardware-viewer");
  });

  it("lets only the API's own account write faults past the API", async () => {
    const spec = {
      ...{ run: "r", requestedBy: "me", namespace: underTest, leaseSeconds: 60 },
      action: { ...request.action, namespace: underTest, policy: "p", direction: "both" },
      expiresAt: new Date(clock.nowMs() + 60_000).toISOString(),
    };
    const create = async (client: KubeClient) => {
      const object = { metadata: { name: "direct", namespace: installed }, spec };
      return await client.create(hardwareFaults, object).then(
        () => "made",
        (error: unknown) => String(error),
      );
    };
    for (const name of ["runner", "auditor", "overseer", "nobody"]) {
      const client = await clientWith(cluster, tokens.get(name) ?? "");
      expect(await create(client), name).toMatch(/forbidden/i);
    }
    const agent = await clientOf("tessera-agent");
    expect(await create(agent)).toMatch(/forbidden/i);
    const merge = { spec: { leaseSeconds: 3600 } };
    await expect(
      agent.patch(hardwareFaults, { name: "held", namespace: installed }, { merge }),
    ).rejects.toThrow(/forbidden/i);
    const api = await clientOf("tessera-fault-api");
    expect(await create(api)).toBe("made");
  });

  it("gives each program exactly the rights of the list", async () => {
    const places = [
      [installed, ["cluster", "installation"]],
      [underTest, ["cluster", "under-test"]],
      ["default", ["cluster"]],
    ] as const;
    const programs = [
      ["api", "tessera-fault-api"],
      ["agent", "tessera-agent"],
    ] as const;
    const everybody = await clientWith(cluster, tokens.get("nobody") ?? "");
    for (const [namespace, scopes] of places) {
      const common = await heldRights(everybody, namespace);
      for (const [holder, name] of programs) {
        const client = await clientOf(name);
        const own = [...(await heldRights(client, namespace))].filter((one) => !common.has(one));
        const listed = [...listedRights(holder, scopes, { drains: false })];
        expect(own.toSorted(), `${name} in ${namespace}`).toEqual(listed.toSorted());
        for (const never of ["secrets", "pods/exec", "serviceaccounts", "*"]) {
          expect(own.filter((one) => one.split(" ")[1]?.startsWith(never))).toEqual([]);
        }
        expect(own).not.toContain("create pods");
      }
    }
  });

  it("lets an agent change its own node and that one's status, and no other", async () => {
    const node = (name: string) => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
    await cluster.apply(node("mine"), node("yours"));
    const bound = ["--bound-object-kind=Node", "--bound-object-name=mine"];
    const agent = await clientOf("tessera-agent", bound);
    const change = async (name: string, merge: object, more: object = {}) =>
      await agent.patch(resourceTypes.nodes, { name }, { merge }, more).then(
        () => "changed",
        (error: unknown) => String(error),
      );
    const close = { spec: { unschedulable: true } };
    const condition = { status: { conditions: [{ type: "TesseraXidError", status: "True" }] } };
    const subresource = { subresource: "status" } as const;
    // A policy is in force a moment after it was made.
    const refusal = /only the node that it runs on/;
    await waitUntil("another is refused", async () => refusal.test(await change("yours", close)));
    expect(await change("mine", close)).toBe("changed");
    expect(await change("mine", condition, subresource)).toBe("changed");
    expect(await change("yours", condition, subresource)).toMatch(refusal);
    const read = await agent.get(resourceTypes.nodes, { name: "yours" });
    expect(read).not.toHaveProperty("spec.unschedulable");
    await expect(agent.delete(resourceTypes.nodes, { name: "mine" })).rejects.toThrow(/forbidden/i);
  });

  it("lets the API put a node back on which an agent that is gone has shown a fault, and not the runner", async () => {
    const name = "shown";
    await cluster.apply({ apiVersion: "v1", kind: "Node", metadata: { name } });
    const api = await clientOf("tessera-fault-api");
    const undo = await snapshotNode(api, name);
    const bound = ["--bound-object-kind=Node", `--bound-object-name=${name}`];
    const client = await clientOf("tessera-agent", bound);
    const agent = new NodeSurface({
      node: name,
      client,
      clock,
      random: createRng("rights").stream("agent"),
    });
    const cause = { xid: 79, pci: "0000:0f:00", correlationId: "0123456789ab", fatal: true };
    await agent.setCondition(cause, { isNew: true });
    expect(await agent.cordon(cause)).toBe("closed");
    expect(await shownOn(client, name)).toEqual({ isClosed: true, condition: "True" });

    const by = (taker: KubeClient) => takeBack(undo, { client: taker, clock, leaseUntilMs: 0 });
    const runner = await clientWith(cluster, tokens.get("runner") ?? "");
    await expect(by(runner)).rejects.toThrow(/forbidden/i);
    expect(await shownOn(client, name)).toEqual({ isClosed: true, condition: "True" });
    expect(await by(api)).toEqual({ left: [] });
    expect(await shownOn(client, name)).toEqual({ isClosed: false, condition: "False" });
  });
});
