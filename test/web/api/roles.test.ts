import { describe, expect, it } from "vitest";
import { roleAllows, roles as serverRoles } from "../../../src/platform/http/auth/roles.ts";
import { allows, roles } from "../../../web/src/api/roles.ts";

describe("what a person may do, as the page sees it", () => {
  it("agrees with the server for every two roles", () => {
    expect(roles).toEqual(serverRoles);
    for (const held of roles) {
      for (const needed of roles) {
        expect(allows({ role: held, readsNeedToken: true }, needed)).toBe(roleAllows(held, needed));
      }
    }
  });

  it("lets nobody known read where that needs no token, and do nothing else", () => {
    expect(allows({ role: null, readsNeedToken: false }, "read")).toBe(true);
    expect(allows({ role: null, readsNeedToken: true }, "read")).toBe(false);
    expect(allows({ role: null, readsNeedToken: false }, "operate")).toBe(false);
    expect(allows(undefined, "read")).toBe(false);
  });
});
