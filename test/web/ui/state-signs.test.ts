import { describe, expect, it } from "vitest";
import { faultStates } from "../../../src/hardware/objects/index.ts";
import { stateSign } from "../../../web/src/ui/state-signs.ts";

describe("the sign of a state", () => {
  it("is red while a fault is in force, also once it was seen, and when it cannot be undone", () => {
    const tones = Object.fromEntries(faultStates.map((state) => [state, stateSign(state)[0]]));
    expect(tones).toEqual({
      planned: "info",
      armed: "fail",
      injected: "fail",
      observed: "fail",
      reverting: "warn",
      "revert-failed": "fail",
      reverted: "untested",
      failed: "fail",
    });
  });

  it("is neutral for what nobody knows", () => {
    expect(stateSign("somehow")).toEqual(["untested", "○"]);
  });
});
