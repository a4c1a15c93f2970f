import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../test/support/browser.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";
import { notBuilt, type ServedPlane, servePlane } from "./served-plane.ts";

const nodes = 10_000;
/** A long task is one that keeps a page from answering a key: what people feel as lag. */
const longTaskMs = 50;

const pages = [
  { name: "overview", path: "/", ready: ".cluster-body" },
  { name: "fleet", path: "/fleet/fleet", ready: "canvas.heat-canvas" },
  { name: "queue", path: "/queue?cluster=fleet", ready: "main h2" },
  { name: "runs", path: "/runs", ready: "table" },
] as const;

export const bench: Bench = {
  name: "web/browser-viewers",
  description: `Four pages open in a real Chromium on a living fleet of ${nodes} nodes: what they ask for while it changes, and how long their scripts hold them up.`,
  requires: notBuilt,
  run: async ({ log, quick }) => {
    const lookMs = quick ? 10_000 : 60_000;
    await using plane = await servePlane({ nodes, speed: 2_000 });
    const browser = await launchBrowser();
    if (typeof browser === "string") throw new Error(browser);
    try {
      const opened = [];
      for (const page of pages) opened.push({ ...page, watched: await open(browser, plane, page) });
      log(`${pages.length} pages for ${lookMs / 1000} s`);
      await new Promise((wake) => setTimeout(wake, lookMs));
      const metrics: BenchMetric[] = [];
      for (const { name, watched } of opened)
        metrics.push(...(await figures(name, watched, lookMs)));
      return {
        metrics,
        notes: [
          "Server, pages and browser share this machine. No GPU: canvases are painted by the processor.",
          `A long task is one of more than ${longTaskMs} ms.`,
        ],
      };
    } finally {
      await browser.close();
    }
  },
};

interface Watched {
  readonly page: Page;
  readonly answers: { readonly ms: number; readonly bytes: number }[];
}

async function open(
  browser: Browser,
  { url }: ServedPlane,
  { path, ready }: (typeof pages)[number],
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  await page.addInitScript(`
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: "longtask" });
  `);
  await page.goto(`${url}${path}`);
  await page.locator(ready).first().waitFor({ timeout: 60_000 });
  // Loading it is what web/first-paint measures.
  await page.evaluate("window.longTasks.length = 0");
  const answers: Watched["answers"] = [];
  page.on("requestfinished", async (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/api/v1/") || pathname.endsWith("/events")) return;
    const sizes = await request.sizes().catch(() => undefined);
    const { responseEnd } = request.timing();
    answers.push({ ms: responseEnd, bytes: sizes?.responseBodySize ?? 0 });
  });
  return { page, answers };
}

async function figures(
  name: string,
  { page, answers }: Watched,
  lookMs: number,
): Promise<readonly BenchMetric[]> {
  const long = (await page.evaluate("window.longTasks")) as number[];
  const base = { provenance: "measured", better: "lower" } as const;
  const perMinute = (value: number) => (value / lookMs) * 60_000;
  const bytes = answers.reduce((sum, one) => sum + one.bytes, 0);
  return [
    {
      name: `${name}: answers asked for a minute`,
      value: perMinute(answers.length),
      unit: "",
      ...base,
    },
    { name: `${name}: KiB a minute`, value: perMinute(bytes / 1024), unit: "KiB", ...base },
    ...(answers.length === 0
      ? []
      : [
          {
            name: `${name}: an answer, median`,
            value: median(answers.map(({ ms }) => ms)),
            unit: "ms",
            ...base,
          },
        ]),
    { name: `${name}: longest task`, value: Math.max(0, ...long), unit: "ms", ...base },
    {
      name: `${name}: share of time in long tasks`,
      value: long.reduce((sum, one) => sum + one, 0) / lookMs,
      unit: "",
      ...base,
    },
  ];
}
