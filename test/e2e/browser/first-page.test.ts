import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPlane, type TestPlane } from "../../cli/up/support.ts";
import { launchBrowser } from "../../support/browser.ts";
import { findFaintTexts } from "./contrast.ts";

const browser = await launchBrowser();
const reason = typeof browser === "string" ? `: skipped, ${browser}` : "";

describe.skipIf(typeof browser === "string")(`the first page in a browser${reason}`, () => {
  let folder: string;
  let dataDir: string;
  let test: TestPlane;
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tessera-page-"));
  });
  beforeEach(async (context) => {
    dataDir = join(folder, context.task.id);
    test = await startPlane({ dataDir });
    await test.plane.doctor.run();
    await openPage();
  });
  afterEach(async () => {
    await page.context().close();
    await test.plane.stop({ deadlineMs: 0 });
  });
  afterAll(async () => {
    await (browser as Browser).close();
    await rm(folder, { recursive: true });
  });

  async function openPage(options: BrowserContextOptions = {}): Promise<void> {
    await page?.context().close();
    const context = await (browser as Browser).newContext(options);
    page = await context.newPage();
    problems = watch(page, test.plane.url);
  }

  const isLive = () => page.locator('#live[data-state="live"]').waitFor();
  const findingIn = (group: string, title: string) =>
    page.getByRole("region", { name: group }).getByRole("article", { name: title });

  it("shows every finding in its group, with reason, hint and use", async () => {
    await page.goto(test.plane.url);
    await isLive();
    const missing = findingIn("Missing", "The kubernetes");
    expect(await missing.innerText()).toMatch(
      /No kubeconfig was found\.\s+What to do: Set KUBECONFIG .*\s+Needed for whatever needs/,
    );
    for (const [group, title] of [
      ["Limited", "The fio"],
      ["Unknown", "The kernel-log"],
      ["Works", "The store"],
    ] as const) {
      expect(await findingIn(group, title).count()).toBe(1);
    }
    expect(await page.title()).toMatch(/^1 of 4 work, /);
    expect(problems).toEqual([]);
  });

  it("follows a new doctor run without being loaded again", async () => {
    await page.goto(test.plane.url);
    await isLive();
    await page.evaluate("document.body.dataset.same = 'yes'");
    await findingIn("Works", "The store").getByText("Evidence").click();
    test.machine.findings["kubernetes"] = { state: "works", reason: "The cluster answers." };
    await test.call("POST", "/api/v1/doctor/runs", { token: test.token });
    await findingIn("Works", "The kubernetes").getByText("The cluster answers.").waitFor();
    expect(await page.getByRole("region", { name: "Missing" }).count()).toBe(0);
    await page.getByText("The kubernetes: missing, now works").waitFor();
    expect(await page.evaluate("document.body.dataset.same")).toBe("yes");
    const evidence = findingIn("Works", "The store").locator("details");
    expect(await evidence.getAttribute("open"), "what was opened stays open").toBe("");
    expect(problems).toEqual([]);
  });

  it("says when the server is gone, and recovers when it is back", async () => {
    await page.goto(test.plane.url);
    await isLive();
    const { port } = test.plane;
    await test.plane.stop();
    await page.getByText("No connection to Tessera; trying again.").waitFor();
    expect(await findingIn("Missing", "The kubernetes").count()).toBe(1);
    test = await startPlane({ dataDir, port });
    test.machine.findings["kubernetes"] = { state: "works", reason: "Back again." };
    await test.plane.doctor.run();
    await isLive();
    await page.getByText("Back again.").waitFor();
  });

  it("recovers from an answer that browsers take for final", async () => {
    await page.route("**/api/v1/events", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.goto(test.plane.url);
    await page.locator('#live[data-state="lost"]').waitFor();
    await isLive();
  });

  it.each(["light", "dark"] as const)("can be read in %s, wide and narrow", async (colorScheme) => {
    // A second run that differs brings the plot and the list of changes.
    test.machine.findings["fio"] = { state: "works", reason: "fio 3.38 is here." };
    await test.plane.doctor.run();
    for (const width of [1280, 360]) {
      await openPage({ colorScheme, viewport: { width, height: 800 } });
      await page.goto(test.plane.url);
      await isLive();
      await page.locator("#disk svg").waitFor();
      expect(await findFaintTexts(page, 4.5)).toEqual([]);
      const overflow =
        "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(overflow), "nothing to scroll sideways").toBe(0);
      const path = join(screenshotFolder(folder), `first-page-${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: true });
      expect((await stat(path)).size).toBeGreaterThan(10_000);
    }
    expect(problems).toEqual([]);
  });

  it("has landmarks, one first heading and no level left out", async () => {
    await page.goto(test.plane.url);
    for (const role of ["banner", "main", "navigation", "complementary", "contentinfo"] as const) {
      expect(await page.getByRole(role).count(), role).toBe(1);
    }
    const levels = await page.evaluate<number[]>(
      "[...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName[1]))",
    );
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [at, level] of levels.entries()) {
      expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
    }
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[id]')].map((element) => element.id)",
    );
    expect(ids).toEqual([...new Set(ids)]);
  });

  it("can be used with the keyboard alone", async () => {
    await page.goto(test.plane.url);
    await isLive();
    const focused = () =>
      page.evaluate("document.activeElement.id || document.activeElement.className");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("skip");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("findings");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("summary-store");
    await page.keyboard.press("Enter");
    await page.getByText("diskSync").waitFor();
  });

  it("works without JavaScript", async () => {
    await openPage({ javaScriptEnabled: false });
    await page.goto(test.plane.url);
    expect(await findingIn("Missing", "The kubernetes").count()).toBe(1);
    expect(await page.locator("noscript").innerText()).toContain("reload for news");
    expect(problems).toEqual([]);
  });
});

/** Where to keep the pictures, for people who want to look at them. */
function screenshotFolder(fallback: string): string {
  return process.env["TESSERA_SCREENSHOTS"] ?? fallback;
}

/** Console errors and requests to anywhere but the server. */
function watch(page: Page, url: string): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const ours = request.url().startsWith(`${url}/`) || request.url().startsWith("data:");
    if (!ours) problems.push(`request to ${request.url()}`);
  });
  return problems;
}
