import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/platform/config/index.ts";
import { renderHtml } from "../../../src/platform/reporters/index.ts";
import { buildValidationReport } from "../../../src/validation/report/index.ts";
import { startPlane, type TestPlane } from "../../cli/up/support.ts";
import { launchBrowser } from "../../support/browser.ts";
import { context, data, run } from "../../validation/report/support.ts";
import { findFaintTexts } from "./contrast.ts";

const browser = await launchBrowser();
const reason = typeof browser === "string" ? `: skipped, ${browser}` : "";

describe.skipIf(typeof browser === "string")(`validation in a browser${reason}`, () => {
  let folder: string;
  let test: TestPlane;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-page-"));
    const file = join(folder, "tessera.yaml");
    await writeFile(
      file,
      "validation:\n  clusters: [{ name: fleet, kind: simulated, nodes: 24, speed: 3000, seed: '7' }]\n",
    );
    const { values } = await loadConfig({ file, env: { HOME: folder }, cwd: folder });
    test = await startPlane({ dataDir: join(folder, "data"), validation: values });
    await test.plane.doctor.run();
  });
  afterAll(async () => {
    await test.plane.stop({ deadlineMs: 0 });
    await (browser as Browser).close();
    await rm(folder, { recursive: true });
  });

  it.each(["light", "dark"] as const)(
    "shows the fleet, live and readable in %s",
    async (scheme) => {
      const tab = await (browser as Browser).newContext({ colorScheme: scheme });
      const page = await tab.newPage();
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      await page.goto(test.plane.url);
      const fleet = page.getByRole("region", { name: /^fleet/ });
      await fleet.getByRole("img", { name: /What is known about each node of fleet/ }).waitFor();
      expect(await fleet.innerText()).toContain(
        "simulated fleet (24 nodes x 8 GPUs, 3,000 times faster than real time)",
      );
      // It comes by itself: nobody reloads the page.
      await fleet.getByText(/among [1-9]\d* of 24 nodes tested/).waitFor();
      expect(await findFaintTexts(page, 4.5)).toEqual([]);
      expect(problems).toEqual([]);
      await tab.close();
    },
  );

  it("gives a report that opens offline, with its plots first", async () => {
    const runs = Array.from({ length: 12 }, (_, at) =>
      run({ node: `n${at}`, verdict: at === 3 ? "fail" : "pass", daysAgo: 1 + (at % 5) }),
    );
    const path = join(folder, "report.html");
    await writeFile(path, renderHtml(buildValidationReport([data({ runs })], context)));
    const tab = await (browser as Browser).newContext();
    const page = await tab.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    expect(asked).toHaveLength(1);
    expect(await page.getByRole("img").count()).toBe(3);
    const order =
      "document.querySelector('figure').compareDocumentPosition(document.querySelector('h2'))";
    expect(await page.evaluate(order)).toBe(4);
    expect(await findFaintTexts(page, 4.5)).toEqual([]);
    await tab.close();
  });
});
