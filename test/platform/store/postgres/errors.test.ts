import { describe, expect, test } from "vitest";
import { isConflict, toStoreError } from "../../../../src/platform/store/postgres/errors.ts";

const store = "postgres://db/t";
/** An error as the server reports it. */
const reported = (code: string, message = "words") =>
  Object.assign(new Error(message), { code, severity: "ERROR" });
/** An error of the way to the server. */
const met = (code: string, message = "") => Object.assign(new Error(message), { code });

describe("what PostgreSQL reports", () => {
  test.each(["55P03", "53300", "57014", "25P03"])("with %s is that the store is busy", (code) => {
    expect(toStoreError(reported(code), store)).toMatchObject({ code: "E_STORE_BUSY" });
  });

  test.each([
    ["28P01", "password"],
    ["3D000", "createdb"],
    ["53100", "ran out of"],
    ["57P01", "server runs"],
    ["25006", "server runs"],
  ])("with %s is that it cannot be used, with advice about: %s", (code, advice) => {
    expect(toStoreError(reported(code), store)).toMatchObject({
      code: "E_STORE_UNUSABLE",
      hint: expect.stringContaining(advice) as string,
    });
  });

  test.each(["23505", "42P01", "22001", "40001"])(
    "with %s about a statement stays what it is",
    (code) => {
      const error = reported(code);
      expect(toStoreError(error, store)).toBe(error);
    },
  );

  test("about a connection that breaks is that it cannot be used", () => {
    for (const error of [met("ECONNREFUSED"), met("", "Connection terminated unexpectedly")]) {
      expect(toStoreError(error, store)).toMatchObject({ code: "E_STORE_UNUSABLE" });
    }
  });

  test("about a host with several addresses names the first", () => {
    const error = new AggregateError([met("ECONNREFUSED", "connect ECONNREFUSED ::1:1")]);
    expect(toStoreError(Object.assign(error, { code: "ECONNREFUSED" }), store)).toMatchObject({
      message: expect.stringContaining("connect ECONNREFUSED ::1:1") as string,
    });
  });

  test.each([
    ["40001", true],
    ["40P01", true],
    ["23505", false],
  ])("with %s may run again: %s", (code, again) => {
    expect(isConflict(reported(code))).toBe(again);
  });
});
