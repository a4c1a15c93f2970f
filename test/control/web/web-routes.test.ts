import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pagePaths } from "../../../src/control/web/page-paths.ts";
import { createWeb } from "../../../src/control/web/web-routes.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { startPlane } from "../support.ts";

const page = `<!doctype html><title>Dashboard</title>${"<p>hello</p>".repeat(200)}`;
const script = `console.log(${JSON.stringify("x".repeat(5000))});`;

/** A folder as the build makes it. */
async function builtDashboard(): Promise<string> {
  const webDir = await tempDir();
  await mkdir(join(webDir, "assets"));
  await writeFile(join(webDir, "index.html"), page);
  await writeFile(join(webDir, "icon.svg"), "<svg/>");
  await writeFile(join(webDir, "assets", "index-abc123.js"), script);
  await writeFile(join(webDir, "assets", "index-abc123.js.map"), "{}");
  await writeFile(join(webDir, "assets", "style-def456.css"), "body{}");
  return webDir;
}

/** One answer of the dashboard's own routes, as bytes. */
async function ask(webDir: string, path: string, headers: Record<string, string> = {}) {
  const route = (await createWeb(webDir)).routes.find((one) => one.path === path);
  const file = "index-abc123.js";
  const input = { params: { file }, request: new Request("http://x/", { headers }) };
  const answer = await route?.handle(input as never);
  if (!(answer instanceof Response)) throw new Error(`${path} gave no response`);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

describe("the dashboard", () => {
  it("is the same document at each of its addresses, open to all, with a strict policy", async () => {
    await using test = await startPlane({ webDir: await builtDashboard() });
    for (const path of pagePaths) {
      const answer = await test.call("GET", path.replaceAll(/:\w+/g, "some-name"));
      expect([path, answer.status, answer.text]).toEqual([path, 200, page]);
      expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
      const policy = String(answer.headers["content-security-policy"]);
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|http/);
      expect(answer.headers["cache-control"]).toBe("no-cache");
    }
    expect((await test.call("GET", "/fleet/a/b")).status).toBe(404);
  });

  it("has files that browsers keep for good, with the right types", async () => {
    await using test = await startPlane({ webDir: await builtDashboard() });
    const js = await test.call("GET", "/assets/index-abc123.js");
    expect([js.status, js.text]).toEqual([200, script]);
    expect(js.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(js.headers["cache-control"]).toContain("immutable");
    const css = await test.call("GET", "/assets/style-def456.css");
    expect(css.headers["content-type"]).toBe("text/css; charset=utf-8");
    const icon = await test.call("GET", "/icon.svg");
    expect([icon.text, icon.headers["content-type"]]).toEqual(["<svg/>", "image/svg+xml"]);
    const known = { headers: { "if-none-match": String(js.headers.etag) } };
    expect((await test.call("GET", "/assets/index-abc123.js", known)).status).toBe(304);
  });

  it("has no other files: no source maps, nothing outside its folder", async () => {
    await using test = await startPlane({ webDir: await builtDashboard() });
    for (const name of [
      "index-abc123.js.map",
      "gone.js",
      "..%2findex.html",
      "..%2f..%2f..%2fetc%2fpasswd",
      "__proto__",
    ]) {
      const answer = await test.call("GET", `/assets/${name}`);
      expect([name, answer.status, answer.json["code"]]).toEqual([name, 404, "E_ROUTE_UNKNOWN"]);
    }
    expect((await test.call("GET", "/assets/%00")).json["code"]).toBe("E_REQUEST_INVALID");
  });

  it("comes compressed to whoever takes that, and plain to all others", async () => {
    const webDir = await builtDashboard();
    const forms = [
      ["gzip, deflate, br", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["identity", null, (bytes: Buffer) => bytes],
      ["br;q=0", null, (bytes: Buffer) => bytes],
    ] as const;
    const tags = new Set<string | null>();
    for (const [accepted, coding, unpack] of forms) {
      const headers = { "accept-encoding": accepted };
      for (const [path, text] of [["/", page] as const, ["/assets/:file", script] as const]) {
        const { answer, bytes } = await ask(webDir, path, headers);
        expect(answer.headers.get("content-encoding")).toBe(coding);
        expect(answer.headers.get("vary")).toBe("accept-encoding");
        expect(unpack(bytes).toString()).toBe(text);
        tags.add(answer.headers.get("etag"));
      }
    }
    expect(tags.size).toBe(6);
  });

  it("says in a browser that nothing is at an unknown address, as its own page", async () => {
    await using test = await startPlane({ webDir: await builtDashboard() });
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (const path of ["/fleet/a/b", "/flet", "/apix"]) {
      const answer = await test.call("GET", path, { headers: { accept } });
      expect([path, answer.status, answer.text]).toEqual([path, 404, page]);
      expect(answer.headers["content-security-policy"]).toContain("script-src 'self';");
    }
  });

  it.each([
    ["a program", "GET", "/flet", "application/json"],
    ["one that takes anything", "GET", "/flet", "*/*"],
    ["a browser that asks the API", "GET", "/api/v1/nothing", "text/html"],
    ["a browser that asks for a part of a page", "GET", "/assets/gone.js", "text/html"],
    ["a form", "POST", "/flet", "text/html"],
  ])("gives %s the problem instead of the page", async (_, method, path, accept) => {
    await using test = await startPlane({ webDir: await builtDashboard() });
    const answer = await test.call(method, path, { headers: { accept } });
    expect([answer.status, answer.json["code"]]).toEqual([404, "E_ROUTE_UNKNOWN"]);
  });

  it("that was not built says how to build it, and the API works", async () => {
    for (const options of [{}, { webDir: join(await tempDir(), "none") }]) {
      await using test = await startPlane(options);
      const answer = await test.call("GET", "/");
      expect(answer.status).toBe(200);
      expect(answer.text).toContain("npm run build");
      expect((await test.call("GET", "/assets/index.js")).status).toBe(404);
      expect((await test.call("GET", "/api/v1/status")).status).toBe(200);
    }
  });
});
