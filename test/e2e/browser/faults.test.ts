import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { HardwareFaultsView } from "../../../src/control/api/faults.ts";
import type { GuardFacts } from "../../../src/hardware/guard/index.ts";
import { planFault } from "../../../src/hardware/plan/index.ts";
import { startTestApi } from "../../hardware/api/support.ts";
import { goodFacts, guardNode, known, request, xidAction } from "../../hardware/guard/support.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type Dashboard, startDashboard } from "./support/dashboard.ts";
import { describeInBrowser } from "./support/in-browser.ts";
import { type OpenPage, untilSays } from "./support/open-page.ts";

const parts = ["syslog-health-monitor", "fault-quarantine", "node-drainer"];
const facts: Partial<GuardFacts> = {
  nodes: known([guardNode("gpu-1"), guardNode("gpu-2")]),
  nvsentinel: known({ namespace: "nvsentinel", parts }),
} as Partial<GuardFacts>;
const plan = planFault(request(xidAction("gpu-1")), goodFacts(facts));

describeInBrowser("hardware faults", (browser) => {
  /** A control plane beside a real fault API on a cluster that is made up. */
  async function withFaultApi() {
    const api = await startTestApi({ plan });
    const tokenFile = join(await tempDir(), "token");
    await writeFile(tokenFile, "alice-token\n");
    const dashboard = await startDashboard(browser, {
      fleet: null,
      env: { TESSERA_HARDWARE_FAULT_API_URL: api.url, TESSERA_HARDWARE_TOKEN_FILE: tokenFile },
    });
    return { api, dashboard };
  }

  async function showPlan({ page }: OpenPage): Promise<void> {
    await page.getByLabel(/^Node/).fill("gpu-1");
    await page.getByLabel("Namespace under test").fill("prod");
    await page.getByRole("button", { name: "Show the plan" }).click();
    await untilSays(page.locator("main"), "The plan for gpu-1");
  }

  /** A browser whose clock is an hour ahead, and a fault that is not there. */
  async function showsOnlyWhatWasAskedFor(dashboard: Dashboard): Promise<void> {
    await using opened = await dashboard.open("/faults?fault=gone", {
      token: dashboard.token,
      prepare: (page) => page.clock.setFixedTime(Date.now() + 3_600_000),
    });
    const { page } = opened;
    const outcome = page.getByRole("table", { name: "Each prediction and how it came out" });
    const missing = page.getByRole("region", { name: "Not in this list" });
    await untilSays(missing, "gone");
    expect(await outcome.count()).toBe(0);
    const table = page.getByRole("table", { name: "All hardware faults" });
    await untilSays(table, /undone in \d+:\d\d/);
    expect(await table.innerText()).not.toContain("overdue");
    await missing.getByRole("button", { name: "Show what is in force" }).click();
    await outcome.waitFor();
    expect(await missing.count()).toBe(0);
  }

  it("are planned first, then injected, and what was predicted stands beside what was observed", async () => {
    const { api, dashboard: started } = await withFaultApi();
    await using dashboard = started;
    await using opened = await dashboard.open("/faults", { token: dashboard.token });
    const { page } = opened;
    await showPlan(opened);
    const foretold = page.getByRole("region", { name: "The plan for gpu-1" });
    await untilSays(foretold, "allowed");
    await untilSays(foretold, "the node has the label");
    await untilSays(foretold.getByRole("table", { name: "Predicted reactions" }), "nvsentinel");
    const faults = () => dashboard.call<HardwareFaultsView>("GET", "faults");
    expect((await faults()).faults).toEqual([]);

    await foretold.getByRole("button", { name: "Inject…" }).click();
    const question = page.getByRole("dialog", { name: "Break gpu-1?" });
    await question.getByRole("button", { name: "Break gpu-1" }).click();
    await question.waitFor({ state: "hidden" });
    const outcome = page.getByRole("table", { name: "Each prediction and how it came out" });
    const cordons = outcome.getByRole("row").filter({ hasText: /nvsentinel\s*cordons(?! after)/ });
    await untilSays(cordons, "nothing so far");

    const [fault] = (await faults()).faults;
    await api.book.injected(fault?.id ?? "");
    const at = new Date().toISOString();
    await api.book.sighted(fault?.id ?? "", { at, by: "nvsentinel", what: "cordon" });
    await untilSays(cordons, /yes\s+yes/);
    await untilSays(page.getByRole("table", { name: "Sightings" }), /nvsentinel\s+cordon/);

    await showsOnlyWhatWasAskedFor(dashboard);
    await page.getByRole("button", { name: "Undo now" }).first().click();
    await waitUntil("nothing is in force", async () => (await faults()).live === 0);
    expect(opened.problems).toEqual([]);
  });

  it("that were in force when the fault API fell silent stay in sight, and nobody calls them over", async () => {
    const { api, dashboard: started } = await withFaultApi();
    await using dashboard = started;
    const json = { namespace: "prod", node: "gpu-1", durationSeconds: 600 };
    const made = await dashboard.call<{ readonly id: string }>("POST", "faults", json);
    await using opened = await dashboard.open("/faults", { token: dashboard.token });
    const { page } = opened;
    const table = page.getByRole("table", { name: "All hardware faults" });
    await untilSays(table, "gpu-1");
    await page.getByLabel(/^Node/).fill("gpu-2");
    await api.stop();
    await untilSays(page.getByRole("alert"), "what is broken by us is not known");
    await untilSays(table, "gpu-1");
    await untilSays(page.locator(".faults-now"), "is not known");
    expect(await page.getByLabel(/^Node/).inputValue()).toBe("gpu-2");
    expect(await page.locator("main").innerText()).not.toContain("kubectl apply");
    expect(await page.locator("main").innerText()).not.toContain("overdue");
    expect(made.id).not.toBe("");
  });

  it("that the guard refuses cannot be injected, and say which rule refuses", async () => {
    const { api, dashboard: started } = await withFaultApi();
    await using dashboard = started;
    api.findings.push({ rule: "opt-in", verdict: "refuse", reason: "the node did not opt in" });
    await using opened = await dashboard.open("/faults", { token: dashboard.token });
    const { page } = opened;
    await showPlan(opened);
    await untilSays(page.locator(".guard-refuses"), "the node did not opt in");
    expect(await page.getByRole("button", { name: "Inject…" }).isDisabled()).toBe(true);
  });
});
