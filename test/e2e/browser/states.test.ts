import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import type { OverviewView } from "../../../src/control/api/overview.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { untilSays } from "./support/open-page.ts";

const problem = {
  type: "urn:tessera:error:E_INTERNAL",
  title: "Internal Server Error",
  status: 500,
  detail: "Tessera failed in a way it did not expect.",
  code: "E_INTERNAL",
  hint: "The log of `tessera up` says more under request 123.",
  instance: "/",
  requestId: "123",
};

/** Answers a path of the API instead of the server. */
async function answer(page: Page, path: string, how: (route: Route) => Promise<void>) {
  await page.route((url) => url.pathname === `/api/v1/${path}`, how);
}

const fail = (route: Route) => route.fulfill({ status: 500, json: problem });

describeInBrowser("a control plane that has nothing yet", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: null });

  it.each([
    ["/", "This process validates nothing"],
    ["/", "No cluster is being watched, so this says nothing about any."],
    ["/fleet", "No cluster is validated here"],
    ["/runs", "No run to show"],
    ["/experiments", "Nothing was broken here yet"],
    ["/baselines", "No baseline"],
    ["/notifications", "Nobody is told"],
  ])("%s says so in words: %s", async (path, words) => {
    await using opened = await dashboard().open(path);
    await untilSays(opened.page.locator("main"), words);
    expect(await opened.page.locator("main [role=alert]").count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });
});

/** Failed nodes more than an answer names, and a warning of another kind behind them. */
function crowded(overview: OverviewView): OverviewView {
  const place = { cluster: "fleet", provenance: "simulated", node: null, since: null } as const;
  const failed = Array.from({ length: 99 }, (_, at) => ({
    ...place,
    kind: "failed-node" as const,
    severity: "critical" as const,
    title: `made-up-${at} failed`,
    reason: "It is made up.",
    link: "/fleet/fleet",
  }));
  const trouble = {
    ...place,
    kind: "cluster-trouble" as const,
    severity: "warning" as const,
    title: "fleet: store does not work",
    reason: "The disk is full.",
    link: "/fleet/fleet",
  };
  const { cluster, provenance } = place;
  return {
    ...overview,
    attention: [...failed, trouble],
    attentionTotal: 1301,
    attentionSimulated: 1301,
    attentionCounts: [
      { kind: "failed-node", cluster, provenance, total: 1300 },
      { kind: "cluster-trouble", cluster, provenance, total: 1 },
    ],
  };
}

describeInBrowser("an overview", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: { speed: 1 } });

  it("says of nodes whose first run is under way that they are tested now, and of no other", async () => {
    const call = () => dashboard().call<OverviewView>("GET", "overview");
    await waitUntil("a first run is under way", async () => {
      return ((await call()).clusters[0]?.coverage.overdueUnderTest ?? 0) > 0;
    });
    await using opened = await dashboard().open("/");
    const panel = opened.page.locator(".coverage");
    await untilSays(panel, /\d+ free, and waiting for their turn\s+\d+ being tested now/);
    expect(await panel.innerText()).not.toContain("nobody can tell");
    expect(opened.problems).toEqual([]);
  });

  it("with more than it can list says how many there are, leads to the rest, and hides no other kind", async () => {
    await using opened = await dashboard().open("/", {
      prepare: (page) =>
        answer(page, "overview", async (route) => {
          const answered = await route.fetch();
          const overview: OverviewView = await answered.json();
          await route.fulfill({ json: crowded(overview) });
        }),
    });
    const { page } = opened;
    const failed = page.getByRole("region", { name: "Failed nodes" });
    await untilSays(failed, /Failed nodes 1,300/);
    await untilSays(page.getByRole("region", { name: "Trouble with a cluster" }), "disk is full");
    expect(await failed.getByRole("listitem").count()).toBe(4);
    await page.getByRole("button", { name: "Show the 100 listed here" }).click();
    expect(await failed.getByRole("listitem").count()).toBe(99);
    await failed.getByRole("link", { name: "1,201 more in fleet" }).click();
    await page.getByRole("heading", { level: 1, name: "Fleet fleet" }).waitFor();
    expect(new URL(page.url()).search).toBe("?view=table&standing=fail");
    expect(opened.problems).toEqual([]);
  });
});

describeInBrowser("a page on its way", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: { speed: 1 } });

  it("says what is being loaded until it is there", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using opened = await dashboard().open("/", {
      prepare: (page) =>
        answer(page, "overview", async (route) => {
          await released;
          await route.continue();
        }),
    });
    const { page } = opened;
    await untilSays(page.locator("main [role=status]"), "Loading the clusters");
    expect(await page.locator("main").innerText()).not.toContain("Nothing needs you");
    release();
    await page.getByRole("heading", { level: 2, name: "fleet" }).waitFor();
    expect(await page.locator("main .loading").count()).toBe(0);
  });

  it("says what went wrong and how to find it, and tries again when asked to", async () => {
    // News of the fleet make the page ask again by itself: only a click is answered.
    const click = "addEventListener('click', () => { window.isClicked = true; }, true);";
    await using opened = await dashboard().open("/", {
      prepare: async (page) => {
        await page.addInitScript(click);
        await answer(page, "overview", async (route) => {
          if (await page.evaluate<boolean>("window.isClicked === true")) await route.continue();
          else await fail(route);
        });
      },
    });
    const { page } = opened;
    const note = page.locator("main").getByRole("alert");
    await untilSays(note, problem.detail);
    await untilSays(note, /E_INTERNAL[\s\S]*123/);
    expect(await page.locator("main").innerText()).not.toContain("Nothing needs you");
    await note.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 2, name: "fleet" }).waitFor();
    expect(await note.count()).toBe(0);
  });

  it("keeps what it knew when asking again fails, and says how old it is", async () => {
    await using opened = await dashboard().open("/");
    const { page } = opened;
    await page.getByRole("heading", { level: 2, name: "fleet" }).waitFor();
    await answer(page, "overview", fail);
    // Leaving and coming back asks again.
    await page.getByRole("link", { name: "Queue" }).click();
    await page.getByRole("heading", { level: 1, name: "Queue" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await untilSays(page.locator("main .stale"), /stood at \d\d:\d\d/);
    expect(await page.getByRole("heading", { level: 2, name: "fleet" }).count()).toBe(1);
  });

  it("at an address where nothing is says so, with the status of it", async () => {
    await using opened = await dashboard().open("/queue");
    const { page } = opened;
    const answered = await page.goto(`${dashboard().url}/no/such/page`);
    expect(answered?.status()).toBe(404);
    await page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
    await untilSays(page.locator("main"), "Nothing is at /no/such/page");
    await page.getByRole("link", { name: "To the overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect((await page.goto(`${dashboard().url}/queue`))?.status()).toBe(200);
  });

  it("that crashes takes only itself down", async () => {
    await using opened = await dashboard().open("/queue", {
      prepare: (page) =>
        answer(page, "runs", (route) => route.fulfill({ json: { runs: [null], next: null } })),
    });
    const { page } = opened;
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { level: 1, name: "This page crashed" }).waitFor();
    await page.getByRole("link", { name: "Queue" }).click();
    await page.getByRole("heading", { level: 1, name: "Queue" }).waitFor();
    await page.getByRole("link", { name: "Runs" }).click();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
  });
});
