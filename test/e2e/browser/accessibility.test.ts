import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import type { ExperimentRow } from "../../../src/control/api/experiments.ts";
import type { RunListView } from "../../../src/control/api/runs.ts";
import { pagePaths } from "../../../src/control/web/page-paths.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { findFaintTexts } from "./contrast.ts";
import { seriousViolations } from "./support/axe.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { lineState, untilSays } from "./support/open-page.ts";

const nodePath = "/nodes/fleet/sim-0005";
const widths = { laptop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** Each of twenty pages is looked at whole, which takes seconds on a quiet machine. */
const looksMsMax = 300_000;
const looks = [
  ["a laptop", "light"],
  ["a laptop", "dark"],
  ["a phone", "light"],
  ["a phone", "dark"],
] as const;

describeInBrowser("every page", (browser) => {
  const dashboard = sharedDashboard(browser);
  let paths: readonly string[] = [];

  beforeAll(async () => {
    const text = await readFile(join(root, "examples", "chaos", "kill-gpu-must-fail.yaml"), "utf8");
    const { id } = await dashboard().call<ExperimentRow>("POST", "experiments", { text });
    let run: string | undefined;
    await waitUntil(
      "there is a run and a judged experiment",
      async () => {
        const list = await dashboard().call<RunListView>("GET", "runs?outcome=completed&limit=1");
        run = list.runs[0]?.id;
        const { state } = await dashboard().call<ExperimentRow>("GET", `experiments/${id}`);
        return run !== undefined && state === "finished";
      },
      { timeoutMs: 150_000 },
    );
    const concrete: Readonly<Record<string, string>> = {
      "/fleet/:cluster": "/fleet/fleet",
      "/nodes/:cluster/:node": nodePath,
      "/runs/:id": `/runs/${run}`,
      "/experiments/:id": `/experiments/${id}`,
    };
    paths = [...pagePaths.map((path) => concrete[path] ?? path), "/fleet/fleet?view=table"];
    expect(paths.filter((path) => path.includes(":"))).toEqual([]);
    await dashboard().calmDown();
  }, 240_000);

  it.each(looks)(
    "can be read by all on %s in %s, and asks nobody else",
    async (screen, theme) => {
      const viewport = screen === "a phone" ? widths.phone : widths.laptop;
      const { token } = dashboard();
      await using opened = await dashboard().open("/", { token, viewport, colorScheme: theme });
      const { page } = opened;
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(`${dashboard().url}${path}`);
        await settle(page);
        found.push(...(await faultsOf(page, path)));
      }
      expect(found).toEqual([]);
      expect(opened.problems).toEqual([]);
    },
    looksMsMax,
  );

  it.each(["light", "dark"] as const)(
    "has dialogs that can be read by all in %s",
    async (theme) => {
      const token = await dashboard().makeToken("operate");
      await using opened = await dashboard().open(nodePath, { token, colorScheme: theme });
      const { page } = opened;
      await settle(page);
      const found: string[] = [];
      const look = async (name: string | RegExp) => {
        const dialog = page.getByRole("dialog", { name });
        await dialog.waitFor();
        found.push(...(await faultsOf(page, String(name))));
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
      };
      await page.getByRole("button", { name: "Hold", exact: true }).click();
      await look(/^Hold:/);
      await page.keyboard.press("?");
      await look("Keyboard shortcuts");
      await page.keyboard.press("/");
      await look(/Search/);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.locator(".who").getByRole("button", { name: "Sign in" }).click();
      await look("Sign in");
      expect(found).toEqual([]);
    },
  );

  it("can be used with the keyboard alone: the skip link, the main action, a dialog and back", async () => {
    const token = await dashboard().makeToken("operate");
    await using opened = await dashboard().open(nodePath, { token });
    const { page } = opened;
    await settle(page);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toMatchObject({ text: "To the content", isOutlined: true });
    await page.keyboard.press("Enter");
    const passed: string[] = [];
    await waitUntil("Tab reaches the button that holds a node", async () => {
      await page.keyboard.press("Tab");
      const { text, isOutlined } = await focused(page);
      expect([text, isOutlined]).toEqual([text, true]);
      passed.push(text);
      return text === "Hold";
    });
    expect(passed.length).toBeLessThan(8);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Hold:/ });
    await dialog.waitFor();
    expect(await dialog.evaluate((one) => one.matches(":focus-within"))).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await waitUntil("the focus is back", async () => (await focused(page)).text === "Hold");
  });

  it("is reached by its letters, but not while somebody types", async () => {
    await using opened = await dashboard().open("/fleet/fleet");
    const { page } = opened;
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.focus();
    await page.keyboard.type("gq?");
    expect(await search.inputValue()).toBe("gq?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.type("gq");
    await page.getByRole("heading", { level: 1, name: "Queue" }).waitFor();
    expect((await focused(page)).text).toBe("Queue");
  });
});

/** Waits until the page has what it shows. */
async function settle(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await page.locator("main .loading, main .heat-skeleton").first().waitFor({ state: "detached" });
  await untilSays(lineState(page), "Live");
}

async function faultsOf(page: Page, where: string): Promise<readonly string[]> {
  const violations = await seriousViolations(page);
  const faint = await findFaintTexts(page, 4.5);
  const [content = 0, window = 0] = await page.evaluate<number[]>(
    "[document.documentElement.scrollWidth, window.innerWidth]",
  );
  return [
    ...violations,
    ...faint.map(({ text, ratio }) => `faint (${ratio.toFixed(1)}): ${text.slice(0, 80)}`),
    ...(content > window ? [`${content} px wide on a screen of ${window} px`] : []),
  ].map((fault) => `${where}: ${fault}`);
}

interface Focused {
  readonly text: string;
  /** It can be seen where the focus is. */
  readonly isOutlined: boolean;
}

function focused(page: Page): Promise<Focused> {
  return page.evaluate<Focused>(`(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    const isOutlined = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
    return { text: element.innerText.trim(), isOutlined };
  })()`);
}
