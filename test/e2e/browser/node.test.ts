import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type {
  BoundView,
  NodeDetailView,
  NodeListView,
  SiblingsView,
} from "../../../src/control/api/nodes.ts";
import type { QueueView } from "../../../src/control/api/queue.ts";
import type { RunDetailView, RunListView, RunLogView } from "../../../src/control/api/runs.ts";
import { explainRail } from "../../../web/src/pages/queue/rails.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { inkOf } from "./support/ink.ts";
import { untilSays } from "./support/open-page.ts";

describeInBrowser("a node, its runs and the queue", (browser) => {
  const dashboard = sharedDashboard(browser);
  let run: RunDetailView | undefined;
  let name = "";

  const failedNode = async () => {
    const list = await dashboard().call<NodeListView>("GET", "nodes?standing=fail&limit=1");
    return list.nodes[0]?.name;
  };

  beforeAll(async () => {
    const timeoutMs = 150_000;
    await waitUntil("a node has failed", async () => (await failedNode()) !== undefined, {
      timeoutMs,
    });
    await dashboard().calmDown();
    name = (await failedNode()) ?? "";
    const path = `runs?node=${name}&verdict=fail`;
    const { runs } = await dashboard().call<RunListView>("GET", path);
    run = await dashboard().call("GET", `runs/${runs[0]?.id}`);
  }, 240_000);

  const nodePath = () => `clusters/fleet/nodes/${name}`;

  /** Opens the page of the node as it is, but for what is changed about it. */
  function openNode(change: (node: NodeDetailView) => NodeDetailView) {
    const prepare = async (page: Page) => {
      await page.route(`**/api/v1/${nodePath()}`, async (route) => {
        const answer = await route.fetch();
        // Nobody asks whether a page of ours has changed: that answer would have no node in it.
        const { etag: _, ...headers } = answer.headers();
        const json = change((await answer.json()) as NodeDetailView);
        await route.fulfill({ response: answer, headers, json });
      });
    };
    return dashboard().open(`/nodes/fleet/${name}`, { prepare });
  }

  /** One figure with two values, these bounds and these siblings. */
  function withFigure(bounds: readonly BoundView[], siblings: readonly number[]) {
    return (node: NodeDetailView): NodeDetailView => {
      const [figure] = node.figures;
      const point = figure?.points.at(-1);
      if (figure === undefined || point === undefined) throw new Error("the node has no figure");
      const dayMs = 86_400_000;
      const before = new Date(Date.parse(point.at) - dayMs).toISOString();
      const points = [
        { ...point, at: before, median: 100, low: 98, high: 102, verdict: "pass" as const },
        { ...point, median: 101, low: 99, high: 103, verdict: "pass" as const },
      ];
      const one = { ...figure, points, bounds: [...bounds], tail: null };
      return { ...node, figures: [{ ...one, siblings: siblingsView(siblings) }] };
    };
  }

  /** The first is the node's own value; more is better. */
  function siblingsView(medians: readonly number[]): SiblingsView {
    const [own = null, ...others] = medians;
    const dots = medians.map((median, at) => ({
      node: at === 0 ? name : `other-${at}`,
      median,
      isSelf: at === 0,
    }));
    return {
      others: others.length,
      own,
      better: others.filter((other) => other > (own ?? 0)).length,
      worse: others.filter((other) => other < (own ?? 0)).length,
      median: others.toSorted((a, b) => a - b)[Math.floor(others.length / 2)] ?? null,
      dots,
    };
  }

  const floor: BoundView = {
    rule: "floor",
    level: "fail",
    value: 90,
    side: "below",
    cohort: "nodes like it",
  };
  const history = (page: Page) => page.locator(".plot-room").first();

  it("has its bounds drawn across the history, and in words", async () => {
    await using opened = await openNode(withFigure([floor], [101, 100, 99]));
    const { page } = opened;
    await history(page).locator("canvas").waitFor();
    await waitUntil("the bound is a line across the plot", async () => {
      return (await inkOf(history(page))).redLine > 0.5;
    });
    await page.getByText("1 bound", { exact: true }).click();
    await untilSays(page.locator(".node-bounds"), "floor, fail: 90");
    expect(opened.problems).toEqual([]);
  });

  it("has no bound drawn where none is known", async () => {
    await using opened = await openNode(withFigure([], [101, 100, 99]));
    const { page } = opened;
    await history(page).locator("canvas").waitFor();
    await untilSays(page.locator("main"), "Siblings.");
    expect((await inkOf(history(page))).redLine).toBeLessThan(0.1);
    expect(await page.locator(".node-bounds").count()).toBe(0);
  });

  it("is shown among its siblings, itself standing out; alone it is compared with nobody", async () => {
    await using opened = await openNode(withFigure([], [80, 100, 99, 101]));
    const { page } = opened;
    const strip = page.locator(".siblings").first();
    await strip.waitFor();
    expect(await strip.locator(".siblings-dot").count()).toBe(3);
    expect(await strip.locator(".siblings-self title").textContent()).toContain(`${name}: 80`);
    await untilSays(page.locator("main"), "Worst of 4.");
    await using other = await openNode(withFigure([], []));
    await untilSays(other.page.locator("main"), "Not compared with other nodes yet.");
  });

  it("tells of errors of its kernel among what happened, and can show these alone", async () => {
    const at = "2026-03-01T09:30:00.000Z";
    const events = [
      { at, kind: "kernel", text: "XID 79: GPU has fallen off the bus", details: {} },
      { at, kind: "hold", text: "held by somebody", details: {} },
    ];
    await using opened = await openNode((node) => ({ ...node, events }));
    const panel = opened.page.getByRole("region", { name: "Events" });
    await untilSays(panel, /kernel[\s\S]*XID 79: GPU has fallen off the bus/);
    await panel.getByLabel("Kind of event").selectOption("kernel");
    expect(await panel.getByRole("listitem").count()).toBe(1);
    await using quiet = await openNode((node) => ({ ...node, events: [] }));
    await untilSays(quiet.page.getByRole("region", { name: "Events" }), "No events");
  });

  it("shows the log of the run that its verdict rests on, or why there is none", async () => {
    await using opened = await openNode((node) => node);
    const panel = opened.page.getByRole("region", { name: "Log" });
    await waitUntil("the chosen run is that of the worst verdict", async () => {
      const node = await dashboard().call<NodeDetailView>("GET", nodePath());
      const failed = node.verdicts.find(({ standing }) => standing === "fail");
      return (await panel.getByRole("combobox", { name: "Run" }).inputValue()) === failed?.runId;
    });
    if (run?.log.available === false) await untilSays(panel, run.log.reason);
    else await panel.getByRole("log").waitFor();
  });

  /** Opens the run as if it had a log, of which this is what comes from a place on. */
  function openRun(logFrom: (offset: number) => RunLogView | number) {
    const prepare = async (page: Page) => {
      await page.route(`**/api/v1/runs/${run?.id}`, (route) =>
        route.fulfill({ json: { ...run, log: { available: true, reason: "" } } }),
      );
      await page.route(`**/api/v1/runs/${run?.id}/log*`, (route) => {
        const { searchParams } = new URL(route.request().url());
        const answer = logFrom(Number(searchParams.get("offset")));
        return typeof answer === "number"
          ? route.fulfill({ status: answer, json: { detail: "The log was removed." } })
          : route.fulfill({ json: answer });
      });
    };
    return dashboard().open(`/runs/${run?.id}`, { prepare });
  }

  const piece = (text: string, offset: number, isOver: boolean): RunLogView => {
    const next = offset + text.length;
    return { text, offset, next, sizeBytes: next, isOver };
  };

  it("writes the log of a run as it grows, until the run is over", async () => {
    let isOver = false;
    await using opened = await openRun((offset) => {
      if (offset === 0) return piece("first line\n", 0, false);
      return piece(isOver ? "second line\n" : "", offset, isOver);
    });
    const tools = opened.page.locator(".run-log-tools");
    const log = opened.page.getByRole("log", { name: "Log of the run" });
    await untilSays(log, "first line");
    await untilSays(tools, ", live");
    isOver = true;
    await untilSays(log, "second line");
    await untilSays(tools, "2 lines, 23 B, complete");
    expect(await tools.getByRole("button", { name: "Pause" }).count()).toBe(0);
  });

  it("does not call a log live that the server refuses", async () => {
    await using opened = await openRun(() => 404);
    const tools = opened.page.locator(".run-log-tools");
    await untilSays(opened.page.locator(".run-log"), "The log was removed.");
    await untilSays(tools, "not to be had");
    expect(await tools.innerText()).not.toContain("live");
  });

  it("begins the figures of a run with those that its findings name, marked", async () => {
    await using opened = await dashboard().open(`/runs/${run?.id}`);
    const figures = opened.page.locator(".samples");
    await figures.first().waitFor();
    const named = new Set((run?.findings ?? []).map(({ metric }) => metric));
    const shown = (run?.figures ?? []).filter((figure) => named.has(figure.name)).length;
    expect(await opened.page.locator(".samples-named").count()).toBe(shown);
    for (let at = 0; at < shown; at++) {
      expect(named).toContain(await figures.nth(at).locator("code").innerText());
    }
  });

  it("says of everything that is kept waiting which guard rail keeps it", async () => {
    const queue = await dashboard().call<QueueView>("GET", "queue?cluster=fleet&limit=1000");
    const postponed = [
      { node: "sim-0001", check: "dl-unit", rail: "not-free", reason: "8 GPUs are in use" },
      { node: "sim-0002", check: null, rail: "not-free", reason: "2 GPUs are in use" },
      { node: "sim-0003", check: "dl-unit", rail: "budget", reason: "960 of 960 GPU-hours" },
    ];
    const postponedByRail = [
      { rail: "not-free", count: 2 },
      { rail: "budget", count: 1 },
    ];
    const waiting = { postponed, postponedByRail, postponedTotal: 3 };
    const json = { ...queue, ...waiting, next: [], nextTotal: 0 };
    const prepare = async (page: Page) => {
      await page.route("**/api/v1/queue?*", (route) => route.fulfill({ json }));
    };
    await using opened = await dashboard().open("/queue?cluster=fleet", { prepare });
    const { page } = opened;
    const rails = page.getByRole("region", { name: "Kept waiting" }).locator("details");
    const busy = rails.filter({ hasText: explainRail("not-free").title });
    await untilSays(busy.locator("summary"), /2[\s\S]*not-free/);
    await untilSays(rails.filter({ hasText: explainRail("budget").title }), /^1/);
    expect(await rails.count()).toBe(2);
    await busy.locator("summary").click();
    await untilSays(busy, "8 GPUs are in use");
    await untilSays(page.getByRole("region", { name: "Next" }), "Nothing waits for its turn");
  });
});
