import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import type {
  ExperimentDetailView,
  ExperimentListView,
} from "../../../src/control/api/experiments.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { lineState, untilSays } from "./support/open-page.ts";

describeInBrowser("experiments", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: null });
  let token = "";
  beforeAll(async () => {
    token = await dashboard().makeToken("inject");
  });
  const all = async () =>
    (await dashboard().call<ExperimentListView>("GET", "experiments")).experiments;
  const detailOf = (id: string) =>
    dashboard().call<ExperimentDetailView>("GET", `experiments/${id}`);
  const outcome = (page: Page) => page.getByRole("region", { name: "Outcome" });
  const log = (page: Page) => page.getByRole("log", { name: "Events of the run" });

  /** Presses Start and waits until the page of what was started is there. */
  async function start(page: Page): Promise<string> {
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.waitForURL(/\/experiments\/(?!new)/);
    await outcome(page).waitFor();
    return new URL(page.url()).pathname.split("/").at(-1) ?? "";
  }

  const editor = (page: Page) => page.getByRole("textbox", { name: "Experiment file (YAML)" });

  async function openNew(name: string) {
    const opened = await dashboard().open("/experiments/new", { token });
    await opened.page.getByLabel("Start from").selectOption(name);
    const text = await preset(name);
    await waitUntil(`the editor has ${name}`, async () => {
      return (await editor(opened.page).inputValue()) === text;
    });
    await untilSays(lineState(opened.page), "Live");
    // A page that is loaded again forgets this.
    await opened.page.evaluate("window.isSamePage = true");
    return opened;
  }

  it("show the plan first, which starts nothing", async () => {
    await using opened = await openNew("partition-group");
    const { page } = opened;
    const before = (await all()).length;
    await page.getByRole("button", { name: "Show the plan" }).click();
    const plan = page.getByRole("region", { name: "The plan" });
    await untilSays(plan, "Partition a communication group");
    await untilSays(plan, "partition");
    expect((await all()).length).toBe(before);
  });

  it("are started from a page, which then follows them to their outcome by itself", async () => {
    await using opened = await openNew("kill-gpu");
    const { page } = opened;
    const id = await start(page);
    await page.getByRole("heading", { level: 1, name: /Kill a GPU/ }).waitFor();
    await untilSays(outcome(page), /\bpass\b/);
    await untilSays(log(page), "kill_device");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    const detail = await detailOf(id);
    expect([detail.state, detail.outcome, detail.startedBy]).toEqual([
      "finished",
      "pass",
      "desk-inject",
    ]);
    await untilSays(outcome(page), detail.reason ?? "?");
    await expectCourse(page, detail);
    expect(await page.getByRole("region", { name: "Smallest reproducer" }).count()).toBe(0);
    expect(opened.problems).toEqual([]);
  });

  it("that must fail do, with the finding that says why, and are made as small as can be", async () => {
    await using opened = await openNew("kill-gpu-must-fail");
    const { page } = opened;
    const id = await start(page);
    await untilSays(outcome(page), /\bfail\b/);
    const findings = page.getByRole("table", { name: "Properties and verdicts" });
    const failed = (await detailOf(id)).findings.filter(({ verdict }) => verdict === "fail");
    expect(failed.length).toBeGreaterThan(0);
    for (const { property, reason } of failed) {
      await untilSays(findings.getByRole("row").filter({ hasText: property }), reason);
    }

    const reproducer = page.getByRole("region", { name: "Smallest reproducer" });
    await untilSays(reproducer, "Nobody asked for one.");
    await reproducer.getByRole("button", { name: "Look for it" }).click();
    await reproducer.getByRole("link", { name: "Start this" }).waitFor({ timeout: 90_000 });
    const { text } = (await detailOf(id)).reproducer;
    expect(text).toContain("cursorOffByOne");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    await reproducer.getByRole("link", { name: "Start this" }).click();
    await waitUntil(
      "the smallest file is in the editor",
      async () => (await editor(page).inputValue()) === text,
    );
  });

  it("are stopped after a question; what they broke is undone", async () => {
    await using opened = await openNew("kill-gpu");
    const { page } = opened;
    // Long enough to be caught: it would run for minutes.
    await editor(page).fill((await preset("kill-gpu")).replace("steps: 24", "steps: 100000"));
    await page.getByRole("radio", { name: /This machine/ }).check();
    const id = await start(page);
    await untilSays(outcome(page), /running|waiting/);
    await untilSays(log(page), /\S/);
    const seen = await log(page).innerText();
    await page.getByRole("button", { name: "Show steps" }).click();
    await waitUntil("more events have come", async () => (await log(page).innerText()) !== seen);
    // The run without faults comes first.
    const curve = page.locator(".run-chart path.rate-usual");
    await curve.waitFor({ state: "attached" });
    await waitUntil("its rate is drawn while it runs", async () => {
      return ((await curve.getAttribute("d")) ?? "").length > 20;
    });
    await waitUntil("the log is at its end, which goes on", () =>
      log(page).evaluate(
        (box) => box.scrollTop > 0 && box.scrollHeight - box.scrollTop - box.clientHeight < 40,
      ),
    );

    const stop = page.getByRole("button", { name: "Stop", exact: true });
    await stop.click();
    const question = page.getByRole("dialog", { name: "Stop this experiment?" });
    await question.getByRole("button", { name: "Let it run" }).click();
    await question.waitFor({ state: "hidden" });
    expect((await detailOf(id)).state).toBe("running");

    await stop.click();
    await question.getByRole("button", { name: "Stop it" }).click();
    await untilSays(outcome(page), "stopped");
    await untilSays(outcome(page), "It proves nothing either way.");
    const detail = await detailOf(id);
    expect([detail.state, detail.residualFaults]).toEqual(["stopped", []]);
    expect(detail.outcome).not.toBe("pass");
    expect(await outcome(page).innerText()).not.toContain("Left broken");
    expect(await stop.count()).toBe(0);
    expect(await page.evaluate("window.isSamePage")).toBe(true);
  });

  it("with a mistake in the file are not started: the line is marked", async () => {
    await using opened = await openNew("kill-gpu");
    const { page } = opened;
    const before = (await all()).length;
    const good = await preset("kill-gpu");
    const wrong = good.replace("mesh:", "mash:");
    const line = wrong.split("\n").findIndex((text) => text.includes("mash:")) + 1;
    await editor(page).fill(wrong);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await untilSays(page.locator(".editor-problems"), `Line ${line}`);
    await untilSays(page.locator(".editor-problems"), "mash");
    expect(await page.locator(".editor-wrong").allInnerTexts()).toContain(`✕ ${line}`);
    expect(await editor(page).getAttribute("aria-invalid")).toBe("true");
    expect(new URL(page.url()).pathname).toBe("/experiments/new");
    expect((await all()).length).toBe(before);

    await editor(page).fill(good);
    await page.getByRole("button", { name: "Show the plan" }).click();
    await page.getByRole("region", { name: "The plan" }).waitFor();
    expect(await page.locator(".editor-wrong").count()).toBe(0);
    expect(await editor(page).getAttribute("aria-invalid")).toBe("false");
  });
});

/** Faults, recovery, saves and dips of a run that is over, as the page draws them. */
async function expectCourse(page: Page, detail: ExperimentDetailView): Promise<void> {
  const chart = page.getByRole("region", { name: "What happened when" }).locator(".run-chart");
  await untilSays(chart.locator(".run-name").first(), detail.injections[0]?.fault ?? "?");
  const lanes = await chart.locator(".run-name").allInnerTexts();
  expect(lanes).toEqual(expect.arrayContaining(["recovery", "generations", "saves"]));
  const injected = detail.injections.filter(({ injectedS }) => injectedS !== null);
  expect(await chart.locator(".lane-span.lane-fault").count()).toBe(injected.length);
  expect(detail.recoveries.length).toBeGreaterThan(0);
  const [recovery] = detail.recoveries;
  let fromS = recovery?.effectS ?? 0;
  let phases = 0;
  for (const { phase, endS } of recovery?.phases ?? []) {
    if (endS === null || endS <= fromS) continue;
    expect([phase, await chart.locator(`.lane-span.lane-${phase}`).count()]).not.toEqual([
      phase,
      0,
    ]);
    [fromS, phases] = [endS, phases + 1];
  }
  expect(phases).toBeGreaterThan(2);
  const drawn = { saved: ".lane-mark-save", lost: ".lane-mark-bad", dips: ".rate-dip" };
  const count = (selector: string) => chart.locator(`.run-track ${selector}`).count();
  const saved = detail.saves.filter(({ ok }) => ok).length;
  expect([await count(drawn.saved), await count(drawn.lost)]).toEqual([
    saved,
    detail.saves.length - saved,
  ]);
  expect(detail.rate?.dips.length).toBeGreaterThan(0);
  expect(await count(drawn.dips)).toBe(detail.rate?.dips.length);
  for (const curve of ["own", "usual"]) {
    expect(await chart.locator(`path.rate-${curve}`).getAttribute("d")).toMatch(/^M[\d. ]+L/);
  }
  const recoveries = page.getByRole("table", { name: "Recoveries by phase" }).locator("tbody tr");
  expect(await recoveries.count()).toBe(detail.recoveries.length);
}

function preset(name: string): Promise<string> {
  return readFile(join(root, "examples", "chaos", `${name}.yaml`), "utf8");
}
