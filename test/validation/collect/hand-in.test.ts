import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { handIn, runPaths, wasAccepted } from "../../../src/validation/collect/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { clock, intentOf } from "./support.ts";

/** A server of the kind a job may meet; answers with these in turn, and the last one for ever. */
async function serverOf(...statuses: readonly (number | "hang up")[]) {
  let calls = 0;
  const tokens = new Set<string | undefined>();
  const listener: RequestListener = (request, response) => {
    const status = statuses[Math.min(calls, statuses.length - 1)] ?? 500;
    calls++;
    tokens.add(request.headers.authorization);
    request.resume().on("end", () => {
      if (status === "hang up") request.socket.destroy();
      else response.writeHead(status, { location: "/elsewhere" }).end("{}");
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve()).closeAllConnections();
    });
  onTestFinished(close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/result`;
  return { url, close, calls: () => calls, tokens: () => [...tokens] };
}

const common = { document: '{"a":1}\n', token: "t0k3n", clock, rng: { float: () => 0 } };

describe("a server", () => {
  test("that has trouble for a while is asked again until it takes the result", async () => {
    const { url, calls, tokens } = await serverOf(503, "hang up", 429, 500, 201);
    const receipt = await handIn({ ...common, resultUrl: url, deadlineMs: 60_000 });
    expect(receipt.post).toEqual({ accepted: true, detail: "recorded" });
    expect(calls()).toBe(5);
    expect(tokens()).toEqual(["Bearer t0k3n"]);
  });

  test.each([200, 409])("that answers %d has the result", async (status) => {
    const { url, calls } = await serverOf(status);
    const receipt = await handIn({ ...common, resultUrl: url, deadlineMs: 60_000 });
    expect(receipt.post?.accepted).toBe(true);
    expect(calls()).toBe(1);
  });

  test.each([400, 401, 403, 404, 413, 422])(
    "that answers %d is not asked again",
    async (status) => {
      const { url, calls } = await serverOf(status);
      const receipt = await handIn({ ...common, resultUrl: url, deadlineMs: 60_000 });
      expect(receipt.post).toEqual({ accepted: false, detail: `HTTP ${status}` });
      expect(calls()).toBe(1);
    },
  );

  test("that points elsewhere does not get the token sent there", async () => {
    const { url, calls } = await serverOf(307);
    const receipt = await handIn({ ...common, resultUrl: url, deadlineMs: 60_000 });
    expect(receipt.post).toEqual({ accepted: false, detail: "HTTP 307" });
    expect(calls()).toBe(1);
  });

  test("that never recovers is given up at the deadline", async () => {
    const { url, calls } = await serverOf(500);
    const rng = { float: () => 0.5 };
    const receipt = await handIn({ ...common, rng, resultUrl: url, deadlineMs: 400 });
    expect(receipt.post).toEqual({ accepted: false, detail: "HTTP 500" });
    expect(calls()).toBeGreaterThan(1);
    expect(wasAccepted(receipt)).toBe(false);
  });

  test("that is not there is told as such", async () => {
    const { url, close } = await serverOf(201);
    await close();
    const receipt = await handIn({ ...common, resultUrl: url, deadlineMs: 0 });
    expect(receipt.post?.detail).toMatch(/ECONNREFUSED/);
  });
});

describe("two ways", () => {
  test("either is enough: the file where the server refuses", async () => {
    const { url } = await serverOf(401);
    const paths = runPaths(await tempDir(), intentOf());
    const receipt = await handIn({ ...common, resultUrl: url, paths, deadlineMs: 60_000 });
    expect(receipt.post?.accepted).toBe(false);
    expect(wasAccepted(receipt)).toBe(true);
    expect(await readFile(paths.result, "utf8")).toBe(common.document);
    expect(await readdir(paths.folder)).toHaveLength(1);
  });

  test("either is enough: the server where the file cannot be written", async () => {
    const { url } = await serverOf(201);
    const root = join(await tempDir(), "logs");
    await writeFile(root, "a file where the tree should be");
    const paths = runPaths(root, intentOf());
    const receipt = await handIn({ ...common, resultUrl: url, paths, deadlineMs: 60_000 });
    expect(receipt.file?.accepted).toBe(false);
    expect(wasAccepted(receipt)).toBe(true);
  });

  test("neither is none", async () => {
    const root = await tempDir();
    const paths = runPaths(root, intentOf());
    await mkdir(paths.result, { recursive: true });
    const receipt = await handIn({ ...common, paths, deadlineMs: 60_000 });
    expect(receipt.file?.detail).toMatch(/folder/);
    expect(wasAccepted(receipt)).toBe(false);
  });
});
