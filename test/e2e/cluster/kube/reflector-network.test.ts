import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { KubeConfig } from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import {
  connect,
  expectFresh,
  newNamespace,
  reflectConfigMaps,
  remove,
  untilWatching,
  writeMany,
} from "./support/connect.ts";
import { FaultProxy } from "./support/fault-proxy.ts";

/** A client for changes, a reflector behind a proxy, and something to see. */
async function setUp() {
  const { kubeconfigPath, serverUrl } = sharedCluster();
  const direct = await connect(kubeconfigPath);
  const namespace = await newNamespace(direct);
  await writeMany(direct, namespace, "before", 12);
  const proxy = await FaultProxy.start(new URL(serverUrl));
  const through = await connect(kubeconfigPath, (config) => ({
    server: new URL(`https://127.0.0.1:${proxy.port}`),
    tls: { ...config.tls, serverName: "kubernetes" },
  }));
  const reflector = reflectConfigMaps(through, namespace, { idleTimeoutMs: 4_000 });
  await expectFresh(reflector, direct, namespace);
  await untilWatching(reflector);
  return { direct, namespace, proxy, reflector };
}

/** Changes of every kind that the reflector must not miss. */
async function change(
  direct: Awaited<ReturnType<typeof connect>>,
  namespace: string,
): Promise<void> {
  await writeMany(direct, namespace, "during", 3);
  await remove(direct, namespace, "before-0");
  await remove(direct, namespace, "before-1");
  await writeMany(direct, namespace, "before", 1);
}

describeCluster("the reflector behind a bad network", () => {
  it.each([
    ["drops connections", (proxy: FaultProxy) => proxy.drop()],
    [
      "closes the server's half of connections",
      (proxy: FaultProxy) => proxy.halfCloseTowardsClient(),
    ],
    [
      "closes the client's half of connections",
      (proxy: FaultProxy) => proxy.halfCloseTowardsServer(),
    ],
  ])("that %s sees what a fresh list shows", async (_, fault) => {
    const { direct, namespace, proxy, reflector } = await setUp();
    const before = reflector.counts;
    fault(proxy);
    await change(direct, namespace);
    await expectFresh(reflector, direct, namespace);
    await waitUntil("it watches again", () => reflector.counts.watches > before.watches);
  });

  it("that stalls says that its view is stale, and recovers when it can", async () => {
    const { direct, namespace, proxy, reflector } = await setUp();
    proxy.stall();
    const stalledAtMs = Date.now();
    await change(direct, namespace);
    await waitUntil("it knows that it is stale", () => reflector.freshness.state === "stale");
    const { staleSinceMs = Number.POSITIVE_INFINITY, syncedAtMs } = reflector.freshness;
    expect(staleSinceMs).toBeLessThanOrEqual(stalledAtMs + 100);
    expect(syncedAtMs).toBe(staleSinceMs);
    proxy.heal();
    proxy.drop();
    const freshness = await expectFresh(reflector, direct, namespace);
    expect(freshness).toMatchObject({ state: "live" });
    expect(freshness.staleSinceMs).toBeUndefined();
  });

  it("that refuses connections for a while sees what a fresh list shows", async () => {
    const { direct, namespace, proxy, reflector } = await setUp();
    proxy.refuse();
    await change(direct, namespace);
    await waitUntil("it has tried", () => reflector.counts.failures > 3);
    expect(reflector.freshness.state).toBe("stale");
    proxy.heal();
    await expectFresh(reflector, direct, namespace);
  });

  it("sees what a fresh list shows after a server that was too busy for it (429)", async () => {
    const { kubeconfigPath } = sharedCluster();
    const direct = await connect(kubeconfigPath);
    const namespace = await newNamespace(direct);
    await writeMany(direct, namespace, "before", 12);
    const busy = await startBusyServer(direct.config);
    const through = await connect(kubeconfigPath, () => ({ server: new URL(busy.url) }));
    busy.refuse(3);
    const reflector = reflectConfigMaps(through, namespace, { watchSeconds: 1 });
    await expectFresh(reflector, direct, namespace);
    expect(busy.refused).toBe(3);
    busy.refuse(4);
    await change(direct, namespace);
    await waitUntil("it was refused again", () => busy.refused === 7);
    await expectFresh(reflector, direct, namespace);
  });
});

/** Passes requests on to the real server, except when it is told to be too busy. */
async function startBusyServer(config: KubeConfig) {
  const { certPem, keyPem } = await config.credentials.get();
  const agent = new Agent({ cert: certPem, key: keyPem, ca: config.tls.caPem });
  let toRefuse = 0;
  const state = { refused: 0, url: "", refuse: (times: number) => void (toRefuse = times) };
  const server = createServer((request, response) => {
    if (toRefuse > 0) {
      toRefuse--;
      state.refused++;
      response.writeHead(429, { "retry-after": "1" }).end("Too many requests");
      return;
    }
    const { method, headers, url } = request;
    const target = new URL(url ?? "/", config.server);
    const onward = httpsRequest(target, {
      method,
      headers: { ...headers, host: target.host },
      agent,
    });
    onward.on("response", (answer) => passOn(answer, response));
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return state;
}

function passOn(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  response.flushHeaders();
  answer.pipe(response);
}
