import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planFault } from "../../../src/hardware/plan/index.ts";
import { startTestApi } from "../../hardware/api/support.ts";
import { goodFacts, request } from "../../hardware/guard/support.ts";
import { collections, startFakeKube } from "../../support/fake-kube/index.ts";
import { answerReviews } from "../../support/fake-kube/reviews.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { experimentProgram, settings } from "./support.ts";

const program = experimentProgram();
const path = "/api/v1/experiments";
const inControlPlane = "eve inject controlplanes";
const forbidden = { status: 403, json: { code: "E_HW_FORBIDDEN" } };
const token = "token-of-eve";

/** A control plane that may break `prod` by its fault API, for people with these rights of the cluster. */
async function start(rights: readonly string[]) {
  const { kube, client } = await startFakeKube();
  const all = answerReviews(kube, rights);
  kube.answerPost("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", () => ({
    status: { allowed: true },
  }));
  const labels = { "tessera.dev/chaos": "allowed" };
  kube.put(collections.namespaces, { metadata: { name: "prod", labels } });
  const metadata = { name: "worker-0", namespace: "prod", labels: { app: "worker" } };
  kube.put(collections.pods, { metadata, spec: { nodeName: "gpu-1" } });
  const api = await startTestApi({ plan: planFault(request(), goodFacts()) });
  const folder = await tempDir();
  const [tokenFile, kubeconfig] = [join(folder, "token"), join(folder, "kubeconfig")];
  await writeFile(tokenFile, "alice-token\n");
  await writeFile(kubeconfig, kubeconfigFor(kube.url));
  const plane = await program.plane({
    kube: client,
    server: { clusterTokens: { enabled: true, audiences: [] } },
    settings: {
      experiments: { ...settings, worlds: ["sim", "kubernetes"] },
      hardware: { faultApiUrl: api.url, tokenFile },
      kubernetes: { kubeconfig },
    },
  });
  const send = (fault: string, more: { readonly token: string; readonly dryRun?: boolean }) => {
    const { token: as, ...rest } = more;
    const json = { text: textOf(fault), world: "kubernetes", ...rest };
    return plane.call("POST", path, { token: as, json });
  };
  /** What the guard was asked; that this server looks what there is counts for nobody. */
  const plansAsked = async () => {
    const records = await api.audit();
    return records.filter(({ details }) => details["verb"] === "plan").length;
  };
  return {
    plane,
    plansAsked,
    asked: () => all.filter((right) => right.includes(" hardwarefaults ")),
    send,
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fake",
    clusters: [{ name: "fake", cluster: { server } }],
    users: [{ name: "somebody", user: { token: "server-token" } }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "somebody" } }],
  });
}

const targets: Readonly<Record<string, string>> = {
  gpu_xid: "{ kubernetesNode: gpu-1 }",
  cuda_error: "{ kubernetesNode: gpu-1 }",
  kill_pod: "{ pod: { namespace: prod, name: worker-0 } }",
};

function textOf(fault: string): string {
  return `
title: Something breaks in prod
workload: { kind: pods, namespace: prod, selector: app=worker }
faults:
  - { fault: ${fault}, target: ${targets[fault]}, at: { time: 1s } }
limits: { duration: 1m, targets: 1 }
`;
}

describe("an experiment of somebody whom the cluster vouches for", () => {
  test.each(["gpu_xid", "cuda_error"])(
    "with %s is neither planned nor begun for who may not break the hardware",
    async (fault) => {
      await using test = await start([inControlPlane, "eve inject hardwarefaults in lab"]);
      expect(await test.send(fault, { token, dryRun: true })).toMatchObject(forbidden);
      const refused = await test.send(fault, { token });
      expect(refused).toMatchObject(forbidden);
      expect(refused.json["detail"]).toContain(
        "eve may not inject hardware faults in namespace prod",
      );
      expect(test.asked()).toEqual([
        "eve plan hardwarefaults in prod",
        "eve inject hardwarefaults in prod",
      ]);
      // Not even its guard was asked, with a right that is not theirs.
      expect(await test.plansAsked()).toBe(0);
      expect((await test.plane.call("GET", path, { token })).json["experiments"]).toEqual([]);
    },
  );

  test("with a hardware fault begins for who may make that fault, and the guard is asked", async () => {
    const verbs = ["plan", "inject"].map((verb) => `eve ${verb} hardwarefaults in prod`);
    await using test = await start([inControlPlane, ...verbs]);
    expect(await test.send("gpu_xid", { token, dryRun: true })).toMatchObject({
      status: 200,
      json: { faults: [{ fault: "gpu_xid" }], refusals: [] },
    });
    const made = await test.send("gpu_xid", { token });
    expect(made).toMatchObject({ status: 202, json: { startedBy: "eve" } });
    expect(test.asked()).toEqual([
      "eve plan hardwarefaults in prod",
      "eve inject hardwarefaults in prod",
    ]);
    expect(await test.plansAsked()).toBeGreaterThan(0);
    await test.plane.ended(String(made.json["id"]));
  });

  test("without one asks for no right to hardware faults", async () => {
    await using test = await start([inControlPlane]);
    expect(await test.send("kill_pod", { token, dryRun: true })).toMatchObject({ status: 200 });
    const made = await test.send("kill_pod", { token });
    expect(made.status).toBe(202);
    expect(test.asked()).toEqual([]);
    await test.plane.ended(String(made.json["id"]));
  });
});

test("a token of our own stands for nobody in the cluster, which is not asked about it", async () => {
  await using test = await start([]);
  const made = await test.send("gpu_xid", { token: test.plane.token });
  expect(made.status).toBe(202);
  expect(test.asked()).toEqual([]);
  await test.plane.ended(String(made.json["id"]));
});
