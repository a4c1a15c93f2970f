// `npm run screenshots [-- page ...]`: pictures of every page of the dashboard in both themes, for docs/screenshots.
// A control plane of its own, with a simulated fleet and experiments that were just run, so nothing in them is measured.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { madeUpFleet, startCannedPlane } from "../../../../bench/web/canned-plane.ts";
import { root } from "../../../../scripts/lib/repository.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { launchBrowser } from "../../../support/browser.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { type LivingPlane, startLivingPlane } from "./living-plane.ts";
import { answerFaults, askForPlan } from "./made-up-faults.ts";

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Something that is there when the page is complete. */
  readonly ready: string;
  /** Of another server than the living one. */
  readonly url?: string;
  /** Only what a screen shows at once: what fills the screen by itself. */
  readonly isOneScreen?: boolean;
  /** Before the page is opened, and once it is ready. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly act?: (page: Page) => Promise<void>;
}

const themes = ["light", "dark"] as const;
const screen = { width: 1440, height: 900 };
/** A picture of a long list would be of no use. */
const heightMax = 5600;
const largeFleet = 10_000;
const folder = join(root, "docs", "screenshots");

const browser = await launchBrowser();
if (typeof browser === "string") throw new Error(browser);
const state = await mkdtemp(join(tmpdir(), "tessera-screenshots-"));
try {
  await using plane = await startLivingPlane(state);
  const fleet = madeUpFleet(largeFleet, createRng("screenshots").stream("fleet"));
  await using large = await startCannedPlane(join(root, "dist", "web"), fleet);
  await mkdir(folder, { recursive: true });
  const wanted = process.argv.slice(2);
  for (const shot of shotsOf(plane, large.url)) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    for (const theme of themes) await take(browser, plane, shot, theme);
    console.log(shot.name);
  }
} finally {
  await browser.close();
  await rm(state, { recursive: true, force: true });
}

function shotsOf(plane: LivingPlane, largeUrl: string): readonly Shot[] {
  const { failedNode, failedRun, loggedRun, experiment } = plane;
  return [
    { name: "overview", path: "/", ready: ".cluster-body" },
    { name: "fleet", path: "/fleet/gpu-sim", ready: "canvas", isOneScreen: true },
    {
      name: "fleet-10000",
      path: "/fleet/bench",
      ready: "canvas",
      url: largeUrl,
      isOneScreen: true,
    },
    { name: "node", path: `/nodes/gpu-sim/${failedNode}`, ready: ".uplot" },
    {
      name: "queue",
      path: "/queue?cluster=gpu-sim",
      ready: "table",
      // The shortest list of what is kept waiting, so that one is seen.
      act: (page) => page.locator(".queue-rails summary").last().click(),
    },
    { name: "runs", path: "/runs", ready: "table", isOneScreen: true },
    { name: "run", path: `/runs/${failedRun}`, ready: "main h2" },
    { name: "run-log", path: `/runs/${loggedRun}`, ready: ".run-log-line" },
    { name: "experiments", path: "/experiments", ready: "table" },
    { name: "experiment-new", path: "/experiments/new", ready: "textarea" },
    { name: "experiment", path: `/experiments/${experiment}`, ready: ".lane-span" },
    { name: "collectives", path: "/collectives", ready: ".uplot" },
    { name: "scaling", path: "/scaling", ready: ".uplot" },
    {
      name: "faults",
      path: "/faults",
      ready: ".faults-live",
      prepare: answerFaults,
      act: askForPlan,
    },
    { name: "faults-none", path: "/faults", ready: "main h1" },
    { name: "baselines", path: "/baselines", ready: "main h1" },
    { name: "reports", path: "/reports", ready: "main h1", isOneScreen: true },
    { name: "machine", path: "/machine", ready: "main h2" },
    { name: "audit", path: "/audit", ready: "table", isOneScreen: true },
    { name: "tokens", path: "/tokens", ready: "table" },
    { name: "notifications", path: "/notifications", ready: "main h1" },
  ];
}

async function take(
  on: Browser,
  { url, token }: LivingPlane,
  shot: Shot,
  theme: (typeof themes)[number],
): Promise<void> {
  const { name, path, ready } = shot;
  const tab = await on.newContext({
    viewport: screen,
    colorScheme: theme,
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  try {
    // The other server knows nobody.
    if (shot.url === undefined)
      await tab.addInitScript(`sessionStorage.setItem("tessera.token", ${JSON.stringify(token)})`);
    const page = await tab.newPage();
    await shot.prepare?.(page);
    await page.goto(`${shot.url ?? url}${path}`);
    await page.locator(ready).first().waitFor({ timeout: 30_000 });
    await waitUntil("nothing loads any more", async () =>
      page.evaluate<boolean>("document.querySelector('.loading') === null"),
    );
    if (shot.url === undefined) await page.getByText("Live", { exact: true }).waitFor();
    await shot.act?.(page);
    if (shot.isOneScreen !== true) await makeRoom(page);
    // Plots are drawn in the frame after their data.
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
    await page.mouse.move(0, 0);
    const picture = await page.screenshot({ type: "png" });
    await writeFile(join(folder, `${name}-${theme}.png`), picture);
  } finally {
    await tab.close();
  }
}

/** A screen as high as the page: a picture that is put together has what sticks to the top more than once. */
async function makeRoom(page: Page): Promise<void> {
  // What is higher now may have let more be shown.
  for (let round = 0; round < 2; round++) {
    const needed = await page.evaluate<number>("document.documentElement.scrollHeight");
    await page.setViewportSize({ ...screen, height: Math.min(heightMax, Math.max(needed, 900)) });
  }
}
