import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../support/temp-dir.ts";
import { kubeConfig, writeIn, writeKubeConfig } from "../support/kubeconfig.ts";
import { complaint, load } from "../support/load.ts";

describe("where a kubeconfig is looked for", () => {
  const named = (name: string) => ({ ...kubeConfig({ context: { namespace: name } }) });

  it("the path given comes first, then KUBECONFIG, then the home directory", async () => {
    const home = await tempDir();
    await writeIn(home, ".kube/config", JSON.stringify(named("home")));
    const path = await writeKubeConfig(named("path"));
    const env = { HOME: home, KUBECONFIG: await writeKubeConfig(named("variable")) };
    expect((await load({ path, env })).namespace).toBe("path");
    expect((await load({ env })).namespace).toBe("variable");
    expect((await load({ env: { HOME: home } })).namespace).toBe("home");
    expect((await load({ env: { HOME: home, KUBECONFIG: ":" } })).namespace).toBe("home");
  });

  it("several files are merged, the first to name something wins, missing ones are skipped", async () => {
    const first = {
      contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "first" } }],
      users: [{ name: "u", user: { token: "first-token" } }],
    };
    const paths = [
      await writeKubeConfig(first),
      "/nowhere/at/all",
      await writeKubeConfig(kubeConfig({ user: { token: "second-token" } })),
    ];
    const config = await load({ env: { KUBECONFIG: paths.join(":") } });
    expect(config).toMatchObject({ context: "c", namespace: "first" });
    expect(config.server.href).toBe("https://api.test:6443/");
    expect(await config.credentials.get()).toEqual({ authorization: "Bearer first-token" });
    expect(config.source).toBe(`${paths[0]}:${paths[2]}`);
  });

  it("nothing anywhere is E_KUBECONFIG_MISSING", async () => {
    const home = await tempDir();
    expect(await complaint({ env: { HOME: home } })).toBe(
      `E_KUBECONFIG_MISSING: No Kubernetes cluster is configured: ${home}/.kube/config does not exist. ` +
        "Set KUBECONFIG or `kubernetes.kubeconfig` to a kubeconfig file, or run in a pod with a service account.",
    );
    expect(await complaint({ path: "/nowhere" })).toContain("/nowhere does not exist");
    expect(await complaint({ path: await writeKubeConfig("") })).toContain("names no cluster");
  });
});

describe("what a kubeconfig may say", () => {
  it("the context and the namespace can be chosen", async () => {
    const config = {
      ...kubeConfig({ context: { namespace: "own" } }),
      "current-context": "other",
      contexts: [
        { name: "other", context: { cluster: "k" } },
        { name: "chosen", context: { cluster: "k", namespace: "own" } },
      ],
    };
    const path = await writeKubeConfig(config);
    expect(await load({ path })).toMatchObject({ context: "other", namespace: "default" });
    expect(await load({ path, context: "chosen" })).toMatchObject({ namespace: "own" });
    expect(await load({ path, context: "chosen", namespace: "mine" })).toMatchObject({
      namespace: "mine",
    });
  });

  it("unknown fields and empty lists do no harm", async () => {
    const path = await writeKubeConfig({
      ...kubeConfig({ cluster: { "x-new": 1 }, user: { token: "t", "x-other": {} } }),
      apiVersion: "v1",
      kind: "Config",
      preferences: {},
      extensions: null,
    });
    expect((await load({ path })).server.host).toBe("api.test:6443");
    expect(
      await complaint({ path: await writeKubeConfig("clusters: null\nusers: null\n") }),
    ).toContain("names no cluster");
  });

  it("a user may have a password, a token, a token file, or nothing", async () => {
    const login = async (user: object) =>
      (await load({ path: await writeKubeConfig(kubeConfig({ user })) })).credentials;
    const password = await (await login({ username: "ann", password: "p:w" })).get();
    expect(password.authorization).toBe(`Basic ${Buffer.from("ann:p:w").toString("base64")}`);
    expect(await (await login({ token: "t" })).get()).toEqual({ authorization: "Bearer t" });
    expect((await login({})).kind).toBe("anonymous");
  });

  it("a token file is found beside the kubeconfig and wins over a token", async () => {
    const path = await writeKubeConfig(
      kubeConfig({ user: { tokenFile: "tokens/t", token: "old" } }),
    );
    await writeIn(dirname(path), "tokens/t", "from-file\n");
    const { credentials } = await load({ path });
    expect(await credentials.get()).toEqual({ authorization: "Bearer from-file" });
  });

  it("somebody else may be impersonated", async () => {
    const user = {
      as: "ann",
      "as-groups": ["a", "b"],
      "as-uid": "7",
      "as-user-extra": { "x/y": ["z"] },
    };
    const { headers } = await load({ path: await writeKubeConfig(kubeConfig({ user })) });
    expect(headers).toEqual({
      "Impersonate-User": "ann",
      "Impersonate-Group": ["a", "b"],
      "Impersonate-Uid": "7",
      "Impersonate-Extra-x%2Fy": ["z"],
    });
  });

  it("a proxy comes from the cluster entry, else from the environment", async () => {
    const path = await writeKubeConfig(kubeConfig({ cluster: { "proxy-url": "socks5://own:1" } }));
    const env = { HTTPS_PROXY: "proxy.test:3128" };
    expect((await load({ path, env })).proxy?.href).toBe("socks5://own:1");
    const plain = await writeKubeConfig(kubeConfig({}));
    expect((await load({ path: plain, env })).proxy?.href).toBe("http://proxy.test:3128/");
    expect(
      (await load({ path: plain, env: { ...env, NO_PROXY: "api.test" } })).proxy,
    ).toBeUndefined();
  });

  it("answers are compressed unless the server is near or the kubeconfig says no", async () => {
    const compression = async (cluster: object) =>
      (await load({ path: await writeKubeConfig(kubeConfig({ cluster })) })).compression;
    expect(await compression({})).toBe(true);
    expect(await compression({ "disable-compression": true })).toBe(false);
    expect(await compression({ server: "https://127.0.0.1:6443" })).toBe(false);
  });
});
