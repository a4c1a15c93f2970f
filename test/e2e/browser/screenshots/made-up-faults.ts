import type { Page } from "playwright-core";
import type { HardwareFaultsView } from "../../../../src/control/api/faults.ts";
import { faultViewOf, planViewOf } from "../../../../src/control/faults/views.ts";
import type { FaultView } from "../../../../src/hardware/api/index.ts";
import type { GuardFacts } from "../../../../src/hardware/guard/index.ts";
import { planFault } from "../../../../src/hardware/plan/index.ts";
import { goodFacts, known, request } from "../../../hardware/guard/support.ts";

const parts = ["syslog-health-monitor", "fault-quarantine", "node-drainer"];

/**
 * Answers for the page of hardware faults as a fault API would give them: no cluster with GPUs is at hand
 * where pictures are made. What is foretold and how it is held against what was seen is computed for real.
 */
export async function answerFaults(page: Page): Promise<void> {
  const plan = planFault(
    request(),
    goodFacts({ nvsentinel: known({ namespace: "nvsentinel", parts }) } as Partial<GuardFacts>),
  );
  const list: HardwareFaultsView = {
    available: true,
    unanswered: false,
    reason: "Made-up answers of a fault API, for this picture.",
    faults: [faultViewOf(faultOf(Date.now() - 45_000), plan)],
    live: 1,
    left: 0,
    next: null,
  };
  const findings = [...plan.guard];
  await page.route("**/api/v1/faults", (route) => route.fulfill({ json: list }));
  await page.route("**/api/v1/faults/plan", (route) =>
    route.fulfill({ json: planViewOf({ allowed: true, findings, plan: { ...plan }, text: "" }) }),
  );
}

/** Types in what is to be broken, and asks for the plan. */
export async function askForPlan(page: Page): Promise<void> {
  await page.getByLabel(/^Node/).fill("n1");
  await page.getByLabel("Namespace under test").fill("team");
  await page.getByRole("button", { name: "Show the plan" }).click();
  await page.locator(".fault-plan").waitFor();
}

/** In force since then. */
function faultOf(startMs: number): FaultView {
  const after = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();
  return {
    id: "xid-79-n1-4f2a",
    run: "ui-first-admin-20",
    kind: "xid",
    namespace: "team",
    node: "n1",
    target: "n1, GPU 0",
    state: "observed",
    requestedBy: "alice",
    correlationId: "0123456789ab",
    createdAt: after(-2),
    injectedAt: after(0),
    observedAt: after(6),
    endedAt: null,
    expiresAt: after(300),
    leaseUntil: after(240),
    endReason: null,
    sightings: [
      { at: after(6), by: "nvsentinel", what: "condition", detail: "SysLogsXIDError" },
      { at: after(8), by: "nvsentinel", what: "cordon" },
      { at: after(14), by: "nvsentinel", what: "drain", detail: "draining" },
    ],
    left: [],
    message: null,
    leaseSeconds: 90,
    action: { kind: "xid" },
  };
}
