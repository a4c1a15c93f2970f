import { describe, expect, it } from "vitest";
import type { GuardFacts } from "../../../src/hardware/guard/index.ts";
import { compareWithObserved, planFault } from "../../../src/hardware/plan/index.ts";
import { goodFacts, known, passthroughAction, request, xidAction } from "../guard/support.ts";

const parts = ["syslog-health-monitor", "fault-quarantine", "node-drainer"];
const facts = goodFacts({
  nvsentinel: known({ namespace: "nvsentinel", parts }),
} as Partial<GuardFacts>);
const plan = planFault(request(), facts);

function agreement(observed: Parameters<typeof compareWithObserved>[1], of = plan) {
  return Object.fromEntries(
    compareWithObserved(of, observed).map(({ what, agrees }) => [what, agrees]),
  );
}

describe("compareWithObserved", () => {
  it("agrees where NVSentinel did what was foretold, in time", () => {
    expect(
      agreement({
        detected: [{ by: "nvsentinel", afterMs: 8_000 }],
        cordonedBy: "nvsentinel",
        cordonAfterMs: 8_400,
        drainState: "draining",
        rebooted: false,
      }),
    ).toMatchObject({
      "nvsentinel detects": true,
      "nvsentinel cordons": true,
      "nvsentinel cordons after": true,
      "real reboot": true,
    });
  });

  it("disagrees where nothing happened, where it came late, and where a machine restarted", () => {
    expect(agreement({ detected: [], cordonedBy: null, rebooted: true })).toMatchObject({
      "nvsentinel detects": false,
      "nvsentinel cordons": false,
      "real reboot": false,
    });
    const late = agreement({ cordonedBy: "nvsentinel", cordonAfterMs: 60_000 });
    expect(late["nvsentinel cordons after"]).toBe(false);
  });

  it("disagrees where a line that is not fatal closed the node after all", () => {
    const harmless = planFault(request(xidAction("n1", 43)), facts);
    expect(agreement({ cordonedBy: "nvsentinel" }, harmless)["nvsentinel cordons"]).toBe(false);
    expect(agreement({ cordonedBy: null }, harmless)["nvsentinel cordons"]).toBe(true);
  });

  it("agrees with nothing that nobody looked at", () => {
    expect(new Set(Object.values(agreement({})))).toEqual(new Set(["unknown"]));
  });

  it("compares only the machine for a fault that no detector sees", () => {
    const other = planFault(request(passthroughAction), facts);
    expect(Object.keys(agreement({ rebooted: false }, other))).toEqual(["real reboot"]);
  });
});
