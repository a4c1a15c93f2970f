import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFaultClient } from "../../../src/hardware/client/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { answerReviews, xidRequest } from "../../hardware/api/support.ts";
import { collections, startFakeKube } from "../../support/fake-kube/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { runHw } from "./run-hw.ts";

describe("tessera fault-api", () => {
  it("guards with the limits it was given, and ends well when it is stopped", async () => {
    const { kube } = await startFakeKube();
    answerReviews(kube, new Set(["user:alice inject prod", "user:alice plan prod"]));
    kube.put(collections.namespaces, { metadata: { name: "prod" } });
    kube.put(collections.nodes, {
      metadata: { name: "gpu-1", labels: { "nvidia.com/gpu.present": "true" } },
      spec: {},
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    const folder = await tempDir();
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, kubeconfigFor(kube.url));
    const stop = new AbortController();
    let url = "";
    const ran = runHw(
      [
        "fault-api",
        "--port=0",
        "--json",
        "--allow-namespace=prod,stage",
        "--max-nodes=1",
        "--deny-node=gpu-1,gpu-9",
        `--store=sqlite:${folder}/audit.db`,
        `--kubeconfig=${kubeconfig}`,
      ],
      {
        signal: stop.signal,
        onOutput: (text) => {
          url = /"url":"([^"]+)"/.exec(text)?.[1] ?? "";
        },
      },
    );
    await waitUntil("it is ready", () => url !== "");
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const client = createFaultClient({ url, token: "alice-token", clock: createRealClock() });
    const { allowed, findings, text } = await client.plan(xidRequest);
    expect(allowed).toBe(false);
    expect(text).toContain("XID 79");
    // The node has no opt-in label; the namespace is on the list.
    await expect(client.inject(xidRequest)).rejects.toMatchObject({ code: "E_HW_REFUSED" });
    expect(findings.find(({ rule }) => rule.includes("namespace"))?.verdict).toBe("ok");
    expect(findings.find(({ rule }) => rule === "node-opt-in")?.reason).toContain("never touched");
    stop.abort(new Error("SIGTERM"));
    const { code, stdout } = await ran;
    expect(code).toBe(0);
    expect(stdout).toContain('"event":"stopped"');
  });

  it.each([
    ["--port", "http"],
    ["--max-nodes", "0"],
    ["--max-percent", "101"],
    ["--cooldown", "soon"],
  ])("refuses %s %s", async (flag, value) => {
    const { code, stderr } = await runHw(["fault-api", flag, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${flag} ${value}`);
  });
});

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fake",
    contexts: [{ name: "fake", context: { cluster: "fake", user: "fake" } }],
    clusters: [{ name: "fake", cluster: { server } }],
    users: [{ name: "fake", user: { token: "api" } }],
  });
}
