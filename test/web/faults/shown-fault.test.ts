import { describe, expect, it } from "vitest";
import { shownFault } from "../../../web/src/pages/faults/shown-fault.ts";

const ended = { id: "f-1", isLive: false };
const live = { id: "f-2", isLive: true };
const none = { chosen: undefined, made: undefined, knownAtMs: 1000 };

describe("the fault that the page shows", () => {
  it("is the one that the address asks for", () => {
    expect(shownFault([live, ended], { ...none, chosen: "f-1" })).toEqual({ fault: ended });
  });

  it("is one in force when none is asked for", () => {
    expect(shownFault([ended, live], none)).toEqual({ fault: live });
    expect(shownFault([ended], none)).toEqual({});
  });

  it("is never another than the one that is asked for: that is said to be missing", () => {
    expect(shownFault([live, ended], { ...none, chosen: "f-9" })).toEqual({ missing: "f-9" });
  });

  it("is not missing while the list is from before it was made", () => {
    const made = { id: "f-9", atMs: 2000 };
    expect(shownFault([live], { ...none, chosen: "f-9", made })).toEqual({});
    const later = { ...none, chosen: "f-9", made, knownAtMs: 3000 };
    expect(shownFault([live], later)).toEqual({ missing: "f-9" });
  });
});
