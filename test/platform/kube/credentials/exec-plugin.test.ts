import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatError, toTesseraError } from "../../../../src/platform/errors/index.ts";
import { loadKubeConfig } from "../../../../src/platform/kube/index.ts";
import { type Clock, createRealClock, VirtualClock } from "../../../../src/platform/time/index.ts";
import { kubeConfig, writeKubeConfig } from "../support/kubeconfig.ts";

const v1 = "client.authentication.k8s.io/v1";

/** A plug-in that is a Node script beside the kubeconfig, and the credentials it gives. */
async function plugin(
  script: string,
  options: { readonly exec?: object; readonly cluster?: object; readonly clock?: Clock } = {},
) {
  const exec = {
    apiVersion: v1,
    command: "./plugin.cjs",
    interactiveMode: "Never",
    ...options.exec,
  };
  const path = await writeKubeConfig(kubeConfig({ user: { exec }, ...options }));
  const file = join(dirname(path), "plugin.cjs");
  await writeFile(file, `#!${process.execPath}\n${script}`);
  await chmod(file, 0o755);
  const clock = options.clock ?? createRealClock();
  const { credentials } = await loadKubeConfig({
    path,
    clock,
    env: { PATH: process.env["PATH"], SEEN: "yes" },
  });
  return { credentials, folder: dirname(path) };
}

/** Prints a credential, and notes in a file beside itself that it ran. */
function printing(status: string, apiVersion = v1): string {
  return `
    const fs = require("node:fs");
    fs.appendFileSync(__dirname + "/runs", "x");
    const run = fs.readFileSync(__dirname + "/runs", "utf8").length;
    console.log(JSON.stringify({ apiVersion: "${apiVersion}", kind: "ExecCredential", status: ${status} }));`;
}

async function runsIn(folder: string): Promise<number> {
  return (await readFile(join(folder, "runs"), "utf8")).length;
}

async function complaint(credentials: { get(): Promise<unknown> }): Promise<string> {
  return formatError(toTesseraError(await credentials.get().catch((error: unknown) => error)));
}

describe("a credential plug-in", () => {
  it.each([v1, "client.authentication.k8s.io/v1beta1"])(
    "gives a token (%s)",
    async (apiVersion) => {
      const { credentials } = await plugin(printing("{ token: 'tok' }", apiVersion), {
        exec: { apiVersion },
      });
      expect(await credentials.get()).toEqual({ authorization: "Bearer tok" });
      expect(credentials.kind).toContain("plug-in");
    },
  );

  it("gives a certificate", async () => {
    const { credentials } = await plugin(
      printing("{ clientCertificateData: 'C', clientKeyData: 'K' }"),
    );
    expect(await credentials.get()).toEqual({ certPem: "C", keyPem: "K" });
  });

  it("gets its arguments, its variables, ours, and the cluster if it wants to know", async () => {
    const config = { audience: "x" };
    const { credentials } = await plugin(
      printing(`{ token: JSON.stringify([process.argv.slice(2), process.env.MORE, process.env.SEEN,
        JSON.parse(process.env.KUBERNETES_EXEC_INFO)]) }`),
      {
        exec: {
          args: ["a b", "c"],
          env: [{ name: "MORE", value: "m" }],
          provideClusterInfo: true,
        },
        cluster: {
          "tls-server-name": "name",
          extensions: [{ name: "client.authentication.k8s.io/exec", extension: config }],
        },
      },
    );
    const { authorization } = (await credentials.get()) as { authorization: string };
    expect(JSON.parse(authorization.replace("Bearer ", ""))).toEqual([
      ["a b", "c"],
      "m",
      "yes",
      {
        apiVersion: v1,
        kind: "ExecCredential",
        spec: {
          interactive: false,
          cluster: { server: "https://api.test:6443", "tls-server-name": "name", config },
        },
      },
    ]);
  });

  it("does not learn of the cluster otherwise", async () => {
    const { credentials } = await plugin(printing("{ token: process.env.KUBERNETES_EXEC_INFO }"));
    const { authorization } = (await credentials.get()) as { authorization: string };
    expect(JSON.parse(authorization.replace("Bearer ", "")).spec).toEqual({ interactive: false });
  });

  it("is asked once by all who ask at the same time, and again when its answer expires", async () => {
    const clock = new VirtualClock({ epochMs: Date.parse("2026-01-01T00:00:00Z") });
    const status = "{ token: 'run' + run, expirationTimestamp: '2026-01-01T00:10:00Z' }";
    const { credentials, folder } = await plugin(printing(status), { clock });
    const all = await Promise.all([credentials.get(), credentials.get(), credentials.get()]);
    expect(all.map(({ authorization }) => authorization)).toEqual(Array(3).fill("Bearer run1"));
    await clock.advance(590_000);
    expect(await credentials.get()).toMatchObject({ authorization: "Bearer run1" });
    await clock.advance(6_000);
    expect(await credentials.get()).toMatchObject({ authorization: "Bearer run2" });
    expect(await runsIn(folder)).toBe(2);
  });

  it("is asked again after a refusal", async () => {
    const { credentials, folder } = await plugin(printing("{ token: 'run' + run }"));
    await credentials.get();
    await credentials.get();
    expect(await runsIn(folder)).toBe(1);
    expect(credentials.refresh()).toBe(true);
    expect(await credentials.get()).toEqual({ authorization: "Bearer run2" });
  });

  it("that is not there is named, with the kubeconfig's own advice", async () => {
    const exec = { command: "tessera-no-such-plugin", installHint: "Install the cloud's tool." };
    const { credentials } = await plugin("", { exec });
    expect(await complaint(credentials)).toBe(
      "E_KUBE_CREDENTIALS: There are no credentials for Kubernetes: the plug-in does not start " +
        "(Cannot start tessera-no-such-plugin: there is no such program). Install the cloud's tool.",
    );
  });

  it.each([
    [
      "fails",
      "console.error('one'); console.error('not logged in'); process.exit(3)",
      "ended with exit code 3, saying: not logged in",
    ],
    ["prints no JSON", "console.log('hello sec-ret')", "gave no ExecCredential"],
    ["prints another kind", 'console.log(\'{"kind":"Pod"}\')', "gave no ExecCredential"],
    [
      "answers in another version",
      printing("{ token: 'sec-ret' }", "client.authentication.k8s.io/v1beta1"),
      "answered in another version",
    ],
    ["gives nothing", printing("{}"), "gave neither a token nor a certificate"],
    [
      "gives half a certificate",
      printing("{ clientKeyData: 'sec-ret' }"),
      "a certificate without its key, or a key alone",
    ],
    [
      "gives a time that is none",
      printing("{ token: 'sec-ret', expirationTimestamp: 'soon' }"),
      "that is no time",
    ],
    [
      "prints too much",
      "console.log('sec-ret'.repeat(500_000))",
      "printed more than 1048576 bytes",
    ],
  ])("that %s is an error without a secret", async (_, script, problem) => {
    const { credentials } = await plugin(script);
    const text = await complaint(credentials);
    expect(text).toContain("E_KUBE_CREDENTIALS");
    expect(text).toContain(problem);
    expect(text).not.toContain("sec-ret");
  });

  it("that does not answer is ended", async () => {
    const clock = createRealClock();
    const { execPluginCredentials } = await import(
      "../../../../src/platform/kube/credentials/exec-plugin.ts"
    );
    const credentials = execPluginCredentials({
      command: process.execPath,
      args: ["-e", "setTimeout(() => {}, 1e9)"],
      apiVersion: v1,
      env: {},
      clock,
      timeoutMs: 200,
    });
    expect(await complaint(credentials)).toContain("did not answer within 200 ms");
  });
});
