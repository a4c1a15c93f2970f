import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderHtml } from "../../../src/platform/reporters/index.ts";
import { sample } from "../../platform/reporters/sample.ts";
import { launchBrowser } from "../../support/browser.ts";
import { findFaintTexts } from "./contrast.ts";

const browser = await launchBrowser();
const reason = typeof browser === "string" ? `: skipped, ${browser}` : "";

describe.skipIf(typeof browser === "string")(`the HTML report in a browser${reason}`, () => {
  let folder = "";
  let url = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-report-"));
    const path = join(folder, "report.html");
    await writeFile(path, renderHtml(sample));
    url = pathToFileURL(path).href;
  });
  afterAll(async () => {
    await (browser as Browser).close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens the report and keeps what a page should not do: ask for things, or complain. */
  async function openReport(
    colorScheme: "light" | "dark",
  ): Promise<{ page: Page; problems: string[] }> {
    const context = await (browser as Browser).newContext({ colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => {
      if (request.url() !== url) problems.push(`asks for ${request.url()}`);
    });
    await page.goto(url);
    return { page, problems };
  }

  it.each(["light", "dark"] as const)("is readable and complete in %s", async (scheme) => {
    const { page, problems } = await openReport(scheme);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Node check");
    expect(await page.getByRole("img", { name: "Latency" }).isVisible()).toBe(true);
    expect(await findFaintTexts(page, 4.5)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("gives plots the colours of the scheme, which its policy allows", async () => {
    const colours: string[] = [];
    for (const scheme of ["light", "dark"] as const) {
      const { page } = await openReport(scheme);
      const fill = "getComputedStyle(document.querySelector('svg .tp-title')).fill";
      colours.push(await page.evaluate<string>(fill));
      await page.context().close();
    }
    expect(colours).toEqual(["rgb(28, 33, 40)", "rgb(232, 237, 242)"]);
  });

  it("fits a narrow screen without scrolling sideways", async () => {
    const { page } = await openReport("light");
    await page.setViewportSize({ width: 360, height: 640 });
    const widths = "[document.documentElement.scrollWidth, window.innerWidth]";
    const [content, window] = (await page.evaluate(widths)) as [number, number];
    expect(content).toBeLessThanOrEqual(window);
    await page.context().close();
  });
});
