import { createServer } from "node:https";
import { TLSSocket } from "node:tls";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createKubeClient, loadKubeConfig } from "../../../../src/platform/kube/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";
import {
  type Certificates,
  makeCertificates,
  noCertificatesReason,
} from "../support/certificates.ts";
import { FakeApi } from "../support/fake-api.ts";
import { random } from "../support/fake-cluster.ts";
import { kubeConfig, writeKubeConfig } from "../support/kubeconfig.ts";
import { connectProxy, socksProxy, type TestProxy } from "../support/proxies.ts";

const skipped = noCertificatesReason === undefined ? "" : ` (skipped: ${noCertificatesReason})`;
const clock = createRealClock();

describe.skipIf(noCertificatesReason !== undefined)(`an https server${skipped}`, () => {
  let made: Certificates;
  beforeAll(() => {
    made = makeCertificates();
  });

  /** An API server that asks for client certificates and answers /version with what it saw. */
  async function startApi(): Promise<FakeApi> {
    const options = { ...made.server, ca: made.ca, requestCert: true, rejectUnauthorized: false };
    const api = await FakeApi.start(createServer(options));
    onTestFinished(() => api.stop());
    api.intercept = (_, response) => {
      const socket = response.socket;
      if (!(socket instanceof TLSSocket)) throw new Error("not a TLS connection");
      const peer = socket.authorized ? socket.getPeerCertificate().subject.CN : "";
      response.end(JSON.stringify({ peer, name: socket.servername || "" }));
      return true;
    };
    return api;
  }

  async function ask(
    api: FakeApi,
    parts: { readonly cluster?: object; readonly user?: object },
    env: Record<string, string> = {},
  ): Promise<{ peer: string; name: string }> {
    const server = `https://127.0.0.1:${api.port}`;
    const path = await writeKubeConfig(
      kubeConfig({ ...parts, cluster: { server, ...parts.cluster } }),
    );
    const config = await loadKubeConfig({ path, env, clock });
    const client = createKubeClient({ config, clock, random });
    onTestFinished(() => client.close());
    return client.getJson("/version", { retryForMs: 0 });
  }

  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const ca = () => ({ "certificate-authority-data": base64(made.ca) });

  it("is trusted by its authority and by no other", async () => {
    const api = await startApi();
    expect(await ask(api, { cluster: ca() })).toEqual({ peer: "", name: "" });
    await expect(ask(api, {})).rejects.toMatchObject({
      code: "E_KUBE_UNREACHABLE",
      message: expect.stringMatching(/certificate/),
    });
  });

  it("is trusted blindly only when the kubeconfig says so", async () => {
    const api = await startApi();
    const answer = await ask(api, { cluster: { "insecure-skip-tls-verify": true } });
    expect(answer).toEqual({ peer: "", name: "" });
  });

  it("may be known by another name", async () => {
    const api = await startApi();
    expect(await ask(api, { cluster: { ...ca(), "tls-server-name": "api.test" } })).toMatchObject({
      name: "api.test",
    });
    await expect(
      ask(api, { cluster: { ...ca(), "tls-server-name": "evil.test" } }),
    ).rejects.toMatchObject({
      code: "E_KUBE_UNREACHABLE",
      message: expect.stringContaining("evil.test"),
    });
  });

  it("sees the client's certificate", async () => {
    const api = await startApi();
    const user = {
      "client-certificate-data": base64(made.client.cert),
      "client-key-data": base64(made.client.key),
    };
    expect(await ask(api, { cluster: ca(), user })).toMatchObject({ peer: "alice" });
  });

  it("does not get a certificate with somebody else's key", async () => {
    const api = await startApi();
    const user = {
      "client-certificate-data": base64(made.client.cert),
      "client-key-data": base64(made.otherClient.key),
    };
    await expect(ask(api, { cluster: ca(), user })).rejects.toMatchObject({
      code: "E_KUBECONFIG_INVALID",
    });
  });

  it("sees a new certificate when it has refused the old one", async () => {
    const api = await startApi();
    const { intercept } = api;
    const both = [made.client, made.otherClient];
    let given = 0;
    const path = await writeKubeConfig(
      kubeConfig({ cluster: { server: `https://127.0.0.1:${api.port}`, ...ca() } }),
    );
    const config = await loadKubeConfig({ path, env: {}, clock });
    const credentials = {
      kind: "test",
      get: () =>
        Promise.resolve({ certPem: both[given]?.cert ?? "", keyPem: both[given]?.key ?? "" }),
      refresh: () => {
        given = 1;
        return true;
      },
    };
    const client = createKubeClient({ config: { ...config, credentials }, clock, random });
    onTestFinished(() => client.close());
    expect(await client.getJson("/version")).toMatchObject({ peer: "alice" });
    api.intercept = (request, response) => {
      if (given === 1) return intercept?.(request, response) ?? false;
      response.writeHead(401).end();
      return true;
    };
    expect(await client.getJson("/version")).toMatchObject({ peer: "bob" });
  });

  it.each([
    ["an http proxy", (port: number) => connectProxy({ backendPort: port }), "http://user:p%40ss@"],
    ["a socks5 proxy", (port: number) => socksProxy({ backendPort: port }), "socks5://"],
    [
      "a socks5 proxy with a login",
      (port: number) => socksProxy({ backendPort: port, login: "user:p@ss" }),
      "socks5://user:p%40ss@",
    ],
  ])("is reached through %s, which only sees names and bytes", async (_, start, address) => {
    const api = await startApi();
    const proxy: TestProxy = await start(api.port);
    onTestFinished(() => proxy.stop());
    const cluster = {
      ...ca(),
      server: "https://api.test:6443",
      "proxy-url": `${address}127.0.0.1:${proxy.port}`,
    };
    expect(await ask(api, { cluster })).toMatchObject({ name: "api.test" });
    expect(proxy.targets).toEqual(["api.test:6443"]);
    if (address.startsWith("http")) {
      expect(proxy.logins).toEqual([`Basic ${base64("user:p@ss")}`]);
    }
  });

  it("is reached through an https proxy that its authority vouches for", async () => {
    const api = await startApi();
    const proxy = await connectProxy({ backendPort: api.port, tls: made.server });
    onTestFinished(() => proxy.stop());
    const cluster = {
      server: "https://api.test:6443",
      "proxy-url": `https://localhost:${proxy.port}`,
    };
    expect(await ask(api, { cluster: { ...ca(), ...cluster } })).toMatchObject({
      name: "api.test",
    });
    expect(proxy.targets).toEqual(["api.test:6443"]);
    await expect(ask(api, { cluster })).rejects.toMatchObject({
      message: expect.stringMatching(/the proxy https:\/\/localhost:\d+: .*certificate/),
    });
  });

  it("is reached through the proxy of the environment", async () => {
    const api = await startApi();
    const proxy = await connectProxy({ backendPort: api.port });
    onTestFinished(() => proxy.stop());
    const cluster = { ...ca(), server: "https://api.test:6443" };
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await ask(api, { cluster }, env)).toMatchObject({ name: "api.test" });
    expect(proxy.targets).toEqual(["api.test:6443"]);
  });

  it.each([
    [
      "a proxy that refuses",
      (port: number) => connectProxy({ backendPort: port, refuseWith: 407 }),
      "http",
      "answered CONNECT with 407",
    ],
    [
      "a socks proxy that refuses",
      (port: number) => socksProxy({ backendPort: port, reply: 5 }),
      "socks5",
      "refused: connection refused",
    ],
    [
      "a socks proxy that wants a login",
      (port: number) => socksProxy({ backendPort: port, login: "a:b" }),
      "socks5",
      "wants another way to log in",
    ],
  ])(
    "behind %s is unreachable, without the proxy's password",
    async (_, start, scheme, problem) => {
      const api = await startApi();
      const proxy: TestProxy = await start(api.port);
      onTestFinished(() => proxy.stop());
      const login = scheme === "http" ? "user:sec-ret@" : "";
      const cluster = {
        ...ca(),
        server: "https://api.test:6443",
        "proxy-url": `${scheme}://${login}127.0.0.1:${proxy.port}`,
      };
      const error = await ask(api, { cluster }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "E_KUBE_UNREACHABLE",
        message: expect.stringContaining(problem),
      });
      expect(JSON.stringify(error)).not.toContain("sec-ret");
      expect(String(error)).not.toContain("sec-ret");
    },
  );
});
