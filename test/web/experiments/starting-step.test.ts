import { describe, expect, it } from "vitest";
import { startingStep } from "../../../web/src/pages/experiments/model/starting-step.ts";

const fresh = {
  found: "name: a",
  address: "?from=1",
  doneFor: undefined,
  text: "",
  textBefore: "",
};

describe("the text that a new experiment starts from", () => {
  it("is put into the editor when it comes, and waited for until then", () => {
    expect(startingStep(fresh)).toBe("give");
    expect(startingStep({ ...fresh, found: undefined })).toBe("wait");
    expect(startingStep({ ...fresh, found: null })).toBe("wait");
  });

  it("does not replace a file that was pasted before it came", () => {
    expect(startingStep({ ...fresh, text: "name: mine" })).toBe("hold");
  });

  it("replaces what was there when a person asks for another one", () => {
    const asked = { ...fresh, address: "?preset=b", doneFor: "?from=1" };
    const text = "name: mine";
    expect(startingStep({ ...asked, text, textBefore: text })).toBe("give");
  });

  it("is given once for an address", () => {
    expect(startingStep({ ...fresh, doneFor: fresh.address })).toBe("wait");
  });
});
