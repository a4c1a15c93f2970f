import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAsk, type InferenceRequest } from "../../../src/hardware/harness/inference.ts";
import { TesseraError } from "../../../src/platform/errors/index.ts";
import { gpuPod } from "./lib/fake-cluster.ts";

const { signal } = new AbortController();

function asking(request: InferenceRequest, answer: (path: string) => string) {
  const paths: string[] = [];
  const client = {
    getText: async (path: string) => {
      paths.push(path);
      return answer(path);
    },
  };
  const pods = async () => [
    gpuPod("a", "gpu-1"),
    gpuPod("b", "gpu-2"),
    gpuPod("c", undefined, { phase: "Pending", ready: false }),
  ];
  return { paths, ask: createAsk(request, { client, namespace: "shop", pods }) };
}

function failing(status: number | undefined, reason?: string): () => never {
  const statusObject = reason === undefined ? {} : { statusObject: { kind: "Status", reason } };
  const failure = {
    ...(status === undefined ? {} : { status }),
    mayHaveActed: true,
    ...statusObject,
  };
  return () => {
    throw new TesseraError("E_KUBE_FAILED", { server: "s", request: "r", problem: "p", failure });
  };
}

describe("a request to the service under test", () => {
  it("goes to a Service through the API server", async () => {
    const { ask, paths } = asking({ service: "web", port: 80, path: "/health" }, () => "ok");
    expect(await ask(signal)).toBe(true);
    expect(paths).toEqual(["/api/v1/namespaces/shop/services/web:80/proxy/health"]);
  });

  it("goes to the serving pods in turn, and to no other", async () => {
    const { ask, paths } = asking({ podPort: 8000 }, () => "ok");
    for (let turn = 0; turn < 3; turn++) expect(await ask(signal)).toBe(true);
    expect(paths.map((path) => /pods\/([^:]*)/.exec(path)?.[1])).toEqual(["a", "b", "a"]);
  });

  it.each([
    ["the service answers with an error of its own", failing(500)],
    ["nobody stands behind the Service", failing(503, "ServiceUnavailable")],
  ])("is not served where %s", async (_, answer) => {
    const { ask } = asking({ service: "web", port: 80 }, answer);
    expect(await ask(signal)).toBe(false);
  });

  it.each([
    ["the API server cannot be reached", failing(undefined)],
    ["the caller may not ask", failing(403, "Forbidden")],
    ["there is no such Service", failing(404, "NotFound")],
  ])("could not be asked where %s: that is an error", async (_, answer) => {
    const { ask } = asking({ service: "web", port: 80 }, answer);
    await expect(ask(signal)).rejects.toMatchObject({ code: "E_KUBE_FAILED" });
  });

  it("is not served by a pod that went meanwhile", async () => {
    const { ask } = asking({ podPort: 8000 }, failing(404, "NotFound"));
    expect(await ask(signal)).toBe(false);
  });

  it("goes to an address, with a body where there is one", async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.method ?? "");
      response.statusCode = request.url === "/good" ? 200 : 500;
      response.end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await asking({ url: `${base}/good` }, () => "").ask(signal)).toBe(true);
    expect(await asking({ url: `${base}/bad`, body: { prompt: "x" } }, () => "").ask(signal)).toBe(
      false,
    );
    expect(seen).toEqual(["GET", "POST"]);
    expect(await asking({ url: "http://127.0.0.1:1/" }, () => "").ask(signal)).toBe(false);
  });

  it("is whatever a function says", async () => {
    const ok = new Response("", { status: 200 });
    expect(
      await asking(
        async () => ok,
        () => "",
      ).ask(signal),
    ).toBe(true);
    expect(
      await asking(
        async () => false,
        () => "",
      ).ask(signal),
    ).toBe(false);
  });
});
