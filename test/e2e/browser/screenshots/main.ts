// `npm run screenshots [-- page ...]`: pictures of every page of the dashboard in both themes, for docs/screenshots.
// A control plane of its own, with a simulated fleet and experiments that were just run, so nothing in them is measured.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { root } from "../../../../scripts/lib/repository.ts";
import { launchBrowser } from "../../../support/browser.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { type LivingPlane, startLivingPlane } from "./living-plane.ts";

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Something that is there when the page is complete. */
  readonly ready: string;
}

const themes = ["light", "dark"] as const;
const folder = join(root, "docs", "screenshots");

const browser = await launchBrowser();
if (typeof browser === "string") throw new Error(browser);
const state = await mkdtemp(join(tmpdir(), "tessera-screenshots-"));
try {
  await using plane = await startLivingPlane(state);
  await mkdir(folder, { recursive: true });
  const wanted = process.argv.slice(2);
  for (const shot of shotsOf(plane)) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    for (const theme of themes) await take(browser, plane, shot, theme);
    console.log(shot.name);
  }
} finally {
  await browser.close();
  await rm(state, { recursive: true, force: true });
}

function shotsOf({ failedNode, failedRun, experiment }: LivingPlane): readonly Shot[] {
  return [
    { name: "overview", path: "/", ready: ".cluster-body" },
    { name: "fleet", path: "/fleet/gpu-sim", ready: "canvas" },
    { name: "node", path: `/nodes/gpu-sim/${failedNode}`, ready: ".uplot" },
    { name: "queue", path: "/queue?cluster=gpu-sim", ready: "table" },
    { name: "runs", path: "/runs", ready: "table" },
    { name: "run", path: `/runs/${failedRun}`, ready: "main h2" },
    { name: "experiments", path: "/experiments", ready: "table" },
    { name: "experiment-new", path: "/experiments/new", ready: "textarea" },
    { name: "experiment", path: `/experiments/${experiment}`, ready: ".lane-span" },
    { name: "collectives", path: "/collectives", ready: ".uplot" },
    { name: "scaling", path: "/scaling", ready: ".uplot" },
    { name: "faults", path: "/faults", ready: "main h1" },
    { name: "baselines", path: "/baselines", ready: "main h1" },
    { name: "reports", path: "/reports", ready: "main h1" },
    { name: "machine", path: "/machine", ready: "main h2" },
    { name: "audit", path: "/audit", ready: "table" },
    { name: "tokens", path: "/tokens", ready: "table" },
    { name: "notifications", path: "/notifications", ready: "main h1" },
  ];
}

async function take(
  on: Browser,
  { url, token }: LivingPlane,
  { name, path, ready }: Shot,
  theme: (typeof themes)[number],
): Promise<void> {
  const tab = await on.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: theme,
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  try {
    await tab.addInitScript(`sessionStorage.setItem("tessera.token", ${JSON.stringify(token)})`);
    const page = await tab.newPage();
    await page.goto(`${url}${path}`);
    await page.locator(ready).first().waitFor({ timeout: 30_000 });
    await waitUntil("nothing loads any more", async () =>
      page.evaluate<boolean>("document.querySelector('.loading') === null"),
    );
    await page.getByText("Live", { exact: true }).waitFor({ timeout: 30_000 });
    // Plots are drawn in the frame after their data.
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
    const picture = await page.screenshot({ type: "png" });
    await writeFile(join(folder, `${name}-${theme}.png`), picture);
  } finally {
    await tab.close();
  }
}
