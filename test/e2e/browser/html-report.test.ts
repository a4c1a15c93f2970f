import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderHtml } from "../../../src/platform/reporters/index.ts";
import { checkPage } from "../../../src/validation/checks/report/index.ts";
import { sample } from "../../platform/reporters/sample.ts";
import { launchBrowser } from "../../support/browser.ts";
import {
  aboutOf,
  dlUnit,
  eightGpus,
  executionOf,
  gemmFact,
} from "../../validation/checks/report/results.ts";
import { findFaintTexts } from "./contrast.ts";

const wrongGpu = executionOf({ ...dlUnit(), hardFacts: [gemmFact] });
/** By file: what any report may have, and one with a wide table of figures. */
const reports = {
  "sample.html": sample,
  "check.html": checkPage(
    wrongGpu,
    aboutOf({ check: { name: "dl-unit", title: "Unit test" }, host: eightGpus }),
  ),
};
type ReportFile = keyof typeof reports;
const files = Object.keys(reports) as ReportFile[];

const browser = await launchBrowser();
const reason = typeof browser === "string" ? `: skipped, ${browser}` : "";

describe.skipIf(typeof browser === "string")(`the HTML report in a browser${reason}`, () => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-report-"));
    for (const file of files) await writeFile(join(folder, file), renderHtml(reports[file]));
  });
  afterAll(async () => {
    await (browser as Browser).close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens the report and keeps what a page should not do: ask for things, or complain. */
  async function openReport(
    colorScheme: "light" | "dark",
    file: ReportFile = "sample.html",
  ): Promise<{ page: Page; problems: string[] }> {
    const url = pathToFileURL(join(folder, file)).href;
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

  it.each(["light", "dark"] as const)("shows a check's figures in %s", async (scheme) => {
    const { page, problems } = await openReport(scheme, "check.html");
    const table = page.getByRole("region", { name: "Table of figures" });
    // One for the heads, one for each figure, and what is said of those that miss their floors.
    expect(await table.getByRole("row").count()).toBe(1 + 33 + 3);
    // Folded text is read, too, once somebody opens it.
    const unfold = "for (const one of document.querySelectorAll('details')) one.open = true";
    await page.evaluate(unfold);
    expect(await findFaintTexts(page, 4.5)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("has all columns of figures on a laptop, and their names in one piece", async () => {
    const { page } = await openReport("light", "check.html");
    await page.setViewportSize({ width: 1280, height: 720 });
    const widths = "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])";
    const region = `${widths}(document.querySelector('[aria-label="Table of figures"]'))`;
    const [content, visible] = (await page.evaluate(region)) as [number, number];
    expect(content).toBeLessThanOrEqual(visible);
    const lines = (name: string) => page.getByRole("rowheader", { name, exact: true });
    const [long, short] = await Promise.all(
      ["gemm_f32_tflops.gpu0", "h2d_gbps.gpu0"].map((name) => lines(name).boundingBox()),
    );
    expect(long?.height).toBe(short?.height);
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

  it.each(files)("fits a narrow screen without scrolling sideways: %s", async (file) => {
    const { page } = await openReport("light", file);
    await page.setViewportSize({ width: 360, height: 640 });
    const widths = "[document.documentElement.scrollWidth, window.innerWidth]";
    const [content, window] = (await page.evaluate(widths)) as [number, number];
    expect(content).toBeLessThanOrEqual(window);
    await page.context().close();
  });
});
