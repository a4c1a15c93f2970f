import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { root } from "../../scripts/lib/repository.ts";
import { createRng } from "../../src/platform/rng/index.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import type { Bench, BenchContext, BenchMetric, BenchResult } from "../bench.ts";
import { median } from "../lib/median.ts";
import { type CannedPlane, madeUpFleet, startCannedPlane } from "./canned-plane.ts";

const webDir = join(root, "dist", "web");
const frameMs = 16;
const nodes = 10_000;

const screens = [
  { name: "laptop", width: 1440, height: 900, deviceScaleFactor: 2 },
  { name: "wall", width: 3840, height: 2160, deviceScaleFactor: 1 },
] as const;

export const bench: Bench = {
  name: "web/heat-map",
  description: `The heat map of ${nodes} nodes x 4 checks in a real Chromium: script of each frame while it is zoomed, moved and walked through, and of a live update that changes a twentieth of its nodes.`,
  requires: async () =>
    existsSync(join(webDir, "index.html")) ? undefined : "the dashboard has not been built",
  run: inBrowser,
};

async function inBrowser(context: BenchContext): Promise<BenchResult> {
  const fleet = madeUpFleet(nodes, createRng("bench").stream("heat-map"));
  await using plane = await startCannedPlane(webDir, fleet);
  const browser = await launchBrowser();
  if (typeof browser === "string") throw new Error(browser);
  try {
    const metrics: BenchMetric[] = [];
    for (const screen of screens) {
      context.log(`${screen.name}, ${screen.width} x ${screen.height}`);
      metrics.push(...(await onScreen(browser, { plane, screen, quick: context.quick })));
    }
    return {
      metrics,
      notes: [
        "Script only: what the compositor does afterwards is not counted. No GPU: canvases are painted by the processor.",
      ],
    };
  } finally {
    await browser.close();
  }
}

async function onScreen(
  browser: Browser,
  given: {
    readonly plane: CannedPlane;
    readonly screen: (typeof screens)[number];
    readonly quick: boolean;
  },
): Promise<readonly BenchMetric[]> {
  const { name, width, height, deviceScaleFactor } = given.screen;
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor,
    locale: "en-US",
  });
  try {
    await page.addInitScript(recordFrames);
    await page.goto(`${given.plane.url}/fleet/bench`);
    await page.waitForFunction("performance.getEntriesByName('heat-map-drawn').length > 0");
    const spent = await walk(page, given.quick ? 5 : 20);
    const updates = await update(page, given.plane, given.quick ? 3 : 12);
    const sorted = spent.toSorted((a, b) => a - b);
    const ms = { unit: "ms", provenance: "measured", better: "lower" } as const;
    return [
      { name: `${name}: script of a frame, median`, value: median(spent), limit: frameMs, ...ms },
      {
        name: `${name}: script of a frame, 95 %`,
        value: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
        ...ms,
      },
      { name: `${name}: longest task of a live update, median`, value: median(updates), ...ms },
    ];
  } finally {
    await page.close();
  }
}

/** Runs in the page, before its own scripts: what keys and frames take; a frame is both together. */
const recordFrames = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: "longtask" });
  window.frameTimes = [];
  let spentMs = 0;
  const ask = window.requestAnimationFrame.bind(window);
  const timed = (act) => {
    const began = performance.now();
    act();
    spentMs += performance.now() - began;
  };
  window.requestAnimationFrame = (callback) => ask((now) => timed(() => callback(now)));
  window.press = (key, shiftKey) =>
    new Promise((resolve) => {
      spentMs = 0;
      const canvas = document.querySelector("canvas.heat-canvas");
      const event = new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true });
      timed(() => canvas.dispatchEvent(event));
      ask(() => ask(() => {
        window.frameTimes.push(spentMs);
        resolve();
      }));
    });
`;

const keys = [
  { key: "+", shift: false },
  { key: "ArrowRight", shift: true },
  { key: "ArrowDown", shift: true },
  { key: "-", shift: false },
  { key: "ArrowDown", shift: false },
  { key: "n", shift: false },
] as const;

/** Zooms in, moves around, zooms out, and walks with the arrows. */
async function walk(page: Page, steps: number): Promise<readonly number[]> {
  for (const { key, shift } of keys) {
    for (let step = 0; step < steps; step++) {
      await page.evaluate(`window.press(${JSON.stringify(key)}, ${shift})`);
    }
  }
  return (await page.evaluate("window.frameTimes")) as number[];
}

/** Other cells come, the page renders them: the longest stretch in which it could answer no key, each time. */
async function update(page: Page, plane: CannedPlane, times: number): Promise<readonly number[]> {
  const spent: number[] = [];
  for (let time = 0; time < times; time++) {
    await page.evaluate("window.longTasks.length = 0");
    const asked = page.waitForResponse((answer) => answer.url().endsWith("/heatmap"));
    plane.change();
    await asked;
    // The observer tells of a task in a frame after it.
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))",
    );
    const tasks = await page.evaluate<readonly number[]>("window.longTasks");
    spent.push(Math.max(0, ...tasks));
  }
  return spent;
}
