import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { NodeDetailView, NodeListView } from "../../../src/control/api/nodes.ts";
import type { OverviewView } from "../../../src/control/api/overview.ts";
import type { RunDetailView } from "../../../src/control/api/runs.ts";
import { findingText } from "../../../web/src/pages/runs/with-unit.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { untilSays } from "./support/open-page.ts";

describeInBrowser("a fleet with a failing node", (browser) => {
  const dashboard = sharedDashboard(browser);
  const nodesThat = async (standing: string) =>
    (await dashboard().call<NodeListView>("GET", `nodes?cluster=fleet&standing=${standing}`)).nodes;
  const nodeCalled = (name: string) =>
    dashboard().call<NodeDetailView>("GET", `clusters/fleet/nodes/${name}`);
  const heatMap = (page: Page) => page.getByRole("application", { name: /Heat map of/ });
  const spoken = (page: Page) => page.locator(".heat-map [aria-live=polite]");

  beforeAll(async () => {
    await waitUntil(
      "a node has failed and one has passed",
      async () => {
        const overview = await dashboard().call<OverviewView>("GET", "overview");
        const named = overview.attention.some(({ kind }) => kind === "failed-node");
        return named && (await nodesThat("pass")).length > 0;
      },
      { timeoutMs: 150_000 },
    );
    await dashboard().calmDown();
  }, 240_000);

  it("says on its first page which node needs a human, and leads to value and bound", async () => {
    await using opened = await dashboard().open("/");
    const { page } = opened;
    const item = page.locator(".attention a", { hasText: /sim-\d+ failed/ }).first();
    await item.waitFor();
    const [name = ""] = /sim-\d+/.exec(await item.innerText()) ?? [];
    // The list may be ordered anew meanwhile: this one, not the first.
    await page.locator(".attention a", { hasText: `${name} failed` }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/nodes/fleet/${name}`);

    const stands = page.getByRole("region", { name: "How it stands" });
    let node = await nodeCalled(name);
    await waitUntil("the page tells the node's sentence as the API does", async () => {
      node = await nodeCalled(name);
      return (await stands.innerText()).includes(node.sentence);
    });
    expect(node.standing).toBe("fail");
    expect(await stands.innerText()).toMatch(/fail[\s\S]*simulated/i);
    const failed = node.verdicts.find(({ standing }) => standing === "fail");
    expect(failed?.sentence).toMatch(/\d/);
    expect(failed?.findings.length).toBeGreaterThan(0);

    const verdict = page.locator(".node-verdicts > li", { hasText: failed?.check ?? "?" });
    await verdict.getByRole("link", { name: "its run" }).click();
    await page.getByRole("heading", { level: 1, name: `${failed?.check} on ${name}` }).waitFor();
    const id = new URL(page.url()).pathname.replace("/runs/", "");
    const run = await dashboard().call<RunDetailView>("GET", `runs/${id}`);
    expect([run.node, run.verdict]).toEqual([name, "fail"]);
    const findings = page.getByRole("table", { name: "Findings" });
    for (const finding of run.findings.filter(({ bound }) => bound !== null)) {
      const figure = finding.metric === "*" ? "the whole run" : finding.metric;
      const row = findings.getByRole("row").filter({ hasText: figure });
      await untilSays(row, findingText(finding, finding.value));
      await untilSays(row, findingText(finding, finding.bound));
    }
    expect(opened.problems).toEqual([]);
  });

  it("claims no failure on the page of a node that passed", async () => {
    await using opened = await dashboard().open("/fleet");
    const { page } = opened;
    let [standing, checks] = ["", ""];
    await waitUntil("the page tells of a node that passed what the API tells", async () => {
      // The fleet goes on meanwhile: the one that passed may not any more.
      const [healthy] = await nodesThat("pass");
      await page.goto(`${dashboard().url}/nodes/fleet/${healthy?.name}`);
      await page.locator(".node-verdicts").waitFor();
      standing = await page.getByRole("region", { name: "How it stands" }).innerText();
      checks = await page.getByRole("region", { name: "Checks" }).innerText();
      const node = await nodeCalled(healthy?.name ?? "");
      return node.standing === "pass" && standing.includes(node.sentence);
    });
    expect(standing).toMatch(/^P\s*pass/);
    expect(standing).not.toMatch(/fail|suspect/);
    expect(checks).not.toMatch(/fail|suspect/);
  });

  it("says that a node nobody knows does not exist, and nothing about its health", async () => {
    await using opened = await dashboard().open("/nodes/fleet/no-such-node");
    await untilSays(opened.page.getByRole("alert").first(), "no-such-node");
    expect(await opened.page.getByRole("region", { name: "How it stands" }).count()).toBe(0);
    expect(await opened.page.locator("main .badge").count()).toBe(0);
  });

  it("can be walked through with keys, which say where they are, and opens a node", async () => {
    await using opened = await dashboard().open("/fleet/fleet?view=nodes");
    const { page } = opened;
    await heatMap(page).focus();
    await page.keyboard.press("Enter");
    expect(await spoken(page).innerText()).toBe("");
    expect(new URL(page.url()).pathname).toBe("/fleet/fleet");

    await page.keyboard.press("Home");
    await untilSays(spoken(page), /^sim-\d+\. /);
    const first = await spoken(page).innerText();
    await page.keyboard.press("ArrowRight");
    await waitUntil("the cursor is somewhere else", async () => {
      const now = await spoken(page).innerText();
      return /^sim-\d+\. /.test(now) && now.slice(0, 8) !== first.slice(0, 8);
    });
    await waitUntil("N finds a node that is bad at this moment", async () => {
      await page.keyboard.press("n");
      return /^sim-\d+\. .*(fail|suspect)/.test(await spoken(page).innerText());
    });
    const [name = ""] = /^sim-\d+/.exec(await spoken(page).innerText()) ?? [];
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/nodes/fleet/${name}`);
  });

  it("N lands on the bad check itself, and the cursor stays with its node when others are shown", async () => {
    await using opened = await dashboard().open("/fleet/fleet");
    const { page } = opened;
    await heatMap(page).focus();
    await waitUntil("N is on a check that failed", async () => {
      await page.keyboard.press("n");
      const said = await spoken(page).innerText();
      expect(said).toMatch(/^sim-\d+\. [\w-]+: (fail|suspect|unknown)/);
      return said.includes(": fail");
    });
    const [name = "?"] = /^sim-\d+/.exec(await spoken(page).innerText()) ?? [];
    const entry = page.getByRole("button", { name: /^F?\s*fail/ });
    await entry.click();
    await untilSays(spoken(page), name);
    // A node that did not fail is out of the map, and with it the cursor.
    await entry.click();
    await heatMap(page).focus();
    await page.keyboard.press("n");
    await untilSays(spoken(page), /^sim-/);
  });

  it("shows one check alone, and nodes by who closed them", async () => {
    await using opened = await dashboard().open("/fleet/fleet");
    const { page } = opened;
    const [check = ""] = (await nodesThat("pass"))[0]?.checks.map((one) => one.check) ?? [];
    await page.getByRole("combobox", { name: "Check", exact: true }).selectOption(check);
    expect(new URL(page.url()).searchParams.get("check")).toBe(check);
    await heatMap(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await untilSays(spoken(page), new RegExp(`^sim-\\d+\\. ${check}: `));
    await page.getByRole("combobox", { name: "Closed", exact: true }).selectOption("by others");
    await untilSays(page.locator("main"), "No node fits");
    await page.getByRole("button", { name: "Show all", exact: true }).first().click();
    await heatMap(page).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  it("tells how many nodes a search finds, and that another finds none", async () => {
    await using opened = await dashboard().open("/fleet/fleet");
    const { page } = opened;
    const search = page.getByRole("searchbox", { name: "Search" });
    const told = page.getByRole("region", { name: "Fleet" }).locator("p[role=status]");
    await search.fill("sim-0011");
    await untilSays(told, "48 nodes shown, 1 found");
    await search.fill("sim-9");
    await untilSays(told, "48 nodes shown, 0 found");
    await page.getByRole("button", { name: "Table" }).click();
    await untilSays(page.locator("main"), "No node fits");
    await search.fill("sim-0011");
    await untilSays(page.getByRole("table", { name: "Nodes of the fleet" }), "sim-0011");
    expect(await page.locator("tbody tr").count()).toBe(1);
  });

  it("shows only those that stand as asked, and all again", async () => {
    await using opened = await dashboard().open("/fleet/fleet?view=table");
    const { page } = opened;
    const rows = page.getByRole("table", { name: "Nodes of the fleet" }).locator("tbody tr");
    await rows.nth(47).waitFor();
    const entry = page.getByRole("button", { name: /^F?\s*fail/ });
    await entry.click();
    await waitUntil("the rows are those that the API says failed", async () => {
      const failed = (await nodesThat("fail")).map(({ name }) => name);
      return sorted(await rows.locator("a").allInnerTexts()) === sorted(failed);
    });
    expect(await entry.getAttribute("aria-pressed")).toBe("true");
    expect(new URL(page.url()).searchParams.get("standing")).toBe("fail");
    for (const text of await rows.locator(".badge").allInnerTexts()) expect(text).toContain("fail");
    await entry.click();
    await rows.nth(47).waitFor();
    expect(await rows.count()).toBe(48);
  });

  it("has every node in its table as the API has it", async () => {
    await using opened = await dashboard().open("/fleet/fleet?view=table");
    const rows = opened.page.locator("tbody tr");
    await waitUntil("the table agrees with the API, node by node", async () => {
      const { nodes } = await dashboard().call<NodeListView>("GET", "nodes?cluster=fleet");
      const expected = nodes.map(({ name, standing, reason }) => [name, standing, reason]);
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => [
          row.querySelector("a")?.textContent,
          row.querySelector(".badge")?.lastChild?.textContent,
          row.querySelectorAll("td")[2]?.textContent,
        ]),
      );
      return JSON.stringify(shown) === JSON.stringify(expected);
    });
    expect(await rows.count()).toBe(48);
  });
});

function sorted(names: readonly string[]): string {
  return names.toSorted((a, b) => a.localeCompare(b)).join(" ");
}
