import { describe, expect, it } from "vitest";
import { errorTable, exitCodes } from "../../../src/platform/errors/index.ts";

describe.each(Object.entries(errorTable))("%s", (code, row) => {
  it("has a name, a message, a hint, an exit code and an HTTP status that fit together", () => {
    expect(code).toMatch(/^E_[A-Z]+(_[A-Z]+)*$/);
    expect(row.message).not.toBe("");
    expect(row.hint).not.toBe("");
    expect(Object.values(exitCodes)).toContain(row.exitCode);
    expect(row.httpStatus).toBeGreaterThanOrEqual(400);
    expect(row.httpStatus).toBeLessThan(600);
  });
});
