import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../support/temp-dir.ts";
import { kubeConfig, writeKubeConfig } from "../support/kubeconfig.ts";
import { complaint, load } from "../support/load.ts";

describe("what is wrong with a kubeconfig is said in one paragraph with file and field", () => {
  const secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQ";
  const cases: readonly (readonly [string, object | string, string, string])[] = [
    ["bad YAML", `users:\n  - name: u\n   token: ${secret}\n`, "line 3", "not valid YAML"],
    ["no mapping", "- 1\n", "document", "expected object"],
    ["a field of the wrong kind", { clusters: 5 }, "clusters", "expected array"],
    [
      "a wrong field inside",
      kubeConfig({ user: { token: 5 } }),
      "users[0].user.token",
      "expected string",
    ],
    [
      "no current context",
      { ...kubeConfig({}), "current-context": "" },
      "current-context",
      "not set",
    ],
    [
      "an unknown context",
      { ...kubeConfig({}), "current-context": "x" },
      "current-context",
      'named "x" (there are: c)',
    ],
    [
      "an unknown cluster",
      kubeConfig({ context: { cluster: "x" } }),
      "contexts[c].cluster",
      'no cluster is named "x" (there are: k)',
    ],
    [
      "an unknown user",
      kubeConfig({ context: { user: "x" } }),
      "contexts[c].user",
      'no user is named "x" (there are: u)',
    ],
    ["no cluster", kubeConfig({ context: { cluster: "" } }), "contexts[c].cluster", "missing"],
    ["no server", kubeConfig({ cluster: { server: "" } }), "clusters[k].server", "missing"],
    [
      "a server that is no address",
      kubeConfig({ cluster: { server: "api" } }),
      "clusters[k].server",
      "not an address",
    ],
    [
      "a server of another kind",
      kubeConfig({ cluster: { server: "ftp://x" } }),
      "clusters[k].server",
      "not an https:// or http://",
    ],
    [
      "bad base64",
      kubeConfig({ user: { "client-key-data": `${secret}!` } }),
      "users[u].client-key-data",
      "not valid base64",
    ],
    [
      "base64 of something else",
      kubeConfig({ cluster: { "certificate-authority-data": "aGVsbG8=" } }),
      "clusters[k].certificate-authority-data",
      "no PEM block",
    ],
    [
      "a broken certificate",
      kubeConfig({ cluster: { "certificate-authority-data": pem("x") } }),
      "clusters[k].certificate-authority",
      "OpenSSL cannot read",
    ],
    [
      "a missing file",
      kubeConfig({ cluster: { "certificate-authority": "ca.crt" } }),
      "clusters[k].certificate-authority",
      "(ENOENT)",
    ],
    [
      "a missing token file",
      kubeConfig({ user: { tokenFile: "/nowhere" } }),
      "users[u].tokenFile",
      "(ENOENT)",
    ],
    [
      "a key without a certificate",
      kubeConfig({ user: { "client-key-data": pem("x") } }),
      "users[u].client-certificate",
      "missing beside client-key",
    ],
    [
      "two ways to check the server",
      kubeConfig({
        cluster: { "insecure-skip-tls-verify": true, "certificate-authority-data": pem("x") },
      }),
      "clusters[k].insecure-skip-tls-verify",
      "keep one",
    ],
    [
      "two ways to log in",
      kubeConfig({ user: { token: secret, username: "a" } }),
      "users[u]",
      "more than one way to log in: token, username",
    ],
    [
      "a token with a line break",
      kubeConfig({ user: { token: `${secret}\n` } }),
      "users[u].token",
      "line breaks",
    ],
    [
      "an auth-provider",
      kubeConfig({ user: { "auth-provider": { name: "gcp" } } }),
      "users[u].auth-provider",
      "removed from Kubernetes",
    ],
    [
      "an old plug-in",
      kubeConfig({ user: { exec: exec({ apiVersion: "client.authentication.k8s.io/v1alpha1" }) } }),
      "users[u].exec.apiVersion",
      "not one of",
    ],
    [
      "a plug-in that asks questions",
      kubeConfig({ user: { exec: exec({ interactiveMode: "Always" }) } }),
      "users[u].exec.interactiveMode",
      "no one to ask",
    ],
    [
      "a plug-in without a command",
      kubeConfig({ user: { exec: { apiVersion: "v1" } } }),
      "users[0].user.exec.command",
      "expected string",
    ],
    [
      "a proxy that is no address",
      kubeConfig({ cluster: { "proxy-url": "://" } }),
      "clusters[k].proxy-url",
      "not an address",
    ],
    [
      "a proxy of another kind",
      kubeConfig({ cluster: { "proxy-url": "ftp://x" } }),
      "clusters[k].proxy-url",
      "not an http, https or socks5",
    ],
  ];

  it.each(cases)("%s", async (_, content, field, problem) => {
    const path = await writeKubeConfig(content);
    const text = await complaint({ path });
    expect(text).toContain(
      `E_KUBECONFIG_INVALID: The kubeconfig ${path} cannot be used: ${field}: `,
    );
    expect(text).toContain(problem);
    expect(text).not.toContain(secret);
    expect(text).not.toContain("\n");
  });

  it("a folder in the place of the file", async () => {
    const path = await tempDir();
    expect(await complaint({ path })).toContain(
      `The kubeconfig ${path} cannot be used: file: cannot be read`,
    );
  });

  it("a context that was chosen and is not there", async () => {
    const path = await writeKubeConfig(kubeConfig({}));
    expect(await complaint({ path, context: "x" })).toContain('contexts: no context is named "x"');
  });

  it("a proxy in the environment that makes no sense, without its password", async () => {
    const path = await writeKubeConfig(kubeConfig({}));
    const text = await complaint({ path, env: { HTTPS_PROXY: `gopher://u:${secret}@x` } });
    expect(text).toContain("environment cannot be used: HTTPS_PROXY: not an http");
    expect(text).not.toContain(secret);
  });
});

describe("in a pod", () => {
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };

  it("a kubeconfig that exists wins over the service account", async () => {
    const config = await load({
      env: { ...env, KUBECONFIG: await writeKubeConfig(kubeConfig({})) },
    });
    expect(config.context).toBe("c");
  });

  it("what is missing of the service account is named", async () => {
    const folder = join(await tempDir(), "none");
    const text = await complaint({ env: { ...env, HOME: folder }, serviceAccountDir: folder });
    expect(text).toContain(
      `The kubeconfig ${folder} cannot be used: ca.crt: cannot be read (ENOENT)`,
    );
  });
});

function pem(body: string): string {
  return Buffer.from(`-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`).toString(
    "base64",
  );
}

function exec(more: object): object {
  return { apiVersion: "client.authentication.k8s.io/v1", command: "plugin", ...more };
}
