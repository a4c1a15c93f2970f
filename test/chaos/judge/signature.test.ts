import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "../../../src/chaos/judge/index.ts";
import { normalised, signatureOf } from "../../../src/chaos/judge/signature.ts";
import { madeUpPlan } from "./lib/made-up-plan.ts";
import { cleanRun, killed, recordOf, Script } from "./lib/made-up-run.ts";

describe("a signature", () => {
  it("does not change with numbers, times, digests, fault names or lengths of lists", () => {
    const one =
      "kill_device on ranks 1, 2 and 3: first took 6.5 s; step-000012 has sha256:ab12cd34ef56";
    const two = "off_bus on rank 7: first took 310 ms; step-000008 has sha256:0011223344";
    expect(normalised(one)).toBe(normalised(two));
  });

  it("keeps failures apart that say different things", () => {
    expect(normalised("samples were lost")).not.toBe(normalised("samples were used twice"));
  });

  it("is as stable for any number", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(normalised(`rank ${a} lost ${a} samples`)).toBe(
          normalised(`rank ${b} lost ${b} samples`),
        );
      }),
    );
  });

  it("names the kind of the first event that the run without faults does not have", () => {
    const script = new Script().at(2).generation().steps(1, 8).save(8, 1).detect([1]);
    const record = recordOf(script.giveUp("failFast: rank 1 was lost"), { injections: [killed] });
    const about = { property: "recovered", core: "the job gave up" } as const;
    expect(signatureOf(about, record, cleanRun())).toBe("recovered | the job gave up | detect");
    expect(signatureOf(about, cleanRun(), cleanRun())).toBe("recovered | the job gave up | none");
    expect(signatureOf(about, record, null)).toBe("recovered | the job gave up | no baseline");
  });

  it("is the same when the same failure comes of another fault at another step", () => {
    const run = (steps: number, fault: string) => {
      const script = new Script().at(2).generation().steps(1, steps).detect([1]);
      const record = recordOf(
        script.giveUp(`3 recoveries are all that is allowed: rank ${steps} lost`),
        {
          injections: [{ ...killed, fault, injectedUs: 1e6, effectUs: 2e6 }],
        },
      );
      return judge(madeUpPlan(), record, cleanRun()).signature;
    };
    expect(run(3, "kill_device")).toBe(run(5, "off_bus"));
    expect(run(3, "kill_device")).toContain("recovered |");
  });
});
