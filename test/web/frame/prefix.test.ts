import { afterEach, describe, expect, it } from "vitest";
import { isAfterPrefix, keepPrefix } from "../../../web/src/frame/prefix.ts";

afterEach(() => keepPrefix(undefined));

describe("a key after g", () => {
  it("belongs to it when it comes soon, wherever it is pressed", () => {
    keepPrefix({ timeStamp: 1000 });
    expect(isAfterPrefix({ timeStamp: 1400 })).toBe(true);
  });

  it("means what it always means when it comes late, or after another key", () => {
    keepPrefix({ timeStamp: 1000 });
    expect(isAfterPrefix({ timeStamp: 9000 })).toBe(false);
    keepPrefix(undefined);
    expect(isAfterPrefix({ timeStamp: 9001 })).toBe(false);
  });
});
