import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../test/support/browser.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { notBuilt, servePlane } from "./served-plane.ts";

/** What we promise on a machine of two cores; the server runs on the same two. */
const paintMsMax = 1000;

export const bench: Bench = {
  name: "web/first-paint",
  description:
    "Time from the request to the first paint, and to the fleet drawn, in a real browser with a control plane of 10,000 nodes that validates meanwhile.",
  requires: notBuilt,
  run: async ({ log, quick }) => {
    const nodes = quick ? 500 : 10_000;
    const rounds = quick ? 2 : 9;
    const browser = await launchBrowser();
    if (typeof browser === "string") throw new Error(browser);
    try {
      await using plane = await servePlane({ nodes, speed: 1000 });
      log(`${nodes} nodes, ${rounds} visits to each page, each with an empty cache`);
      const overview = await visits(browser, `${plane.url}/`, rounds);
      const fleet = await visits(browser, `${plane.url}/fleet/${plane.cluster}`, rounds);
      const drawn = fleet.map(({ drawnMs }) => drawnMs).filter((ms) => ms !== undefined);
      return {
        metrics: [
          time("first paint of the overview", median(overview.map(({ paintMs }) => paintMs)), true),
          time("first paint of the fleet", median(fleet.map(({ paintMs }) => paintMs)), true),
          time("the heat map drawn", median(drawn), true),
          time("slowest first paint", Math.max(...[...overview, ...fleet].map((v) => v.paintMs))),
        ],
        notes: [`${nodes} simulated nodes; server and browser share the machine`],
      };
    } finally {
      await browser.close();
    }
  },
};

interface Visit {
  readonly paintMs: number;
  /** When the heat map was complete; undefined on pages without one. */
  readonly drawnMs: number | undefined;
}

async function visits(browser: Browser, url: string, rounds: number): Promise<readonly Visit[]> {
  const found: Visit[] = [];
  for (let round = 0; round < rounds; round++) {
    const tab = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
    });
    found.push(await visit(await tab.newPage(), url));
    await tab.close();
  }
  return found;
}

async function visit(page: Page, url: string): Promise<Visit> {
  await page.goto(url);
  const isFleet = url.includes("/fleet/");
  const ready = isFleet
    ? "performance.getEntriesByName('heat-map-drawn').length > 0"
    : "performance.getEntriesByName('first-contentful-paint').length > 0";
  // The page forbids to evaluate texts, so it is asked from outside, again and again.
  await waitUntil("it is drawn", () => page.evaluate<boolean>(ready));
  return await page.evaluate<Visit>(`({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    drawnMs: performance.getEntriesByName('heat-map-drawn')[0]?.startTime,
  })`);
}

function time(name: string, value: number, isPromised = false): BenchMetric {
  const promise = isPromised ? { limit: paintMsMax } : {};
  return { name, value, unit: "ms", provenance: "measured", better: "lower", ...promise };
}
