import { describe, expect, it } from "vitest";
import { roleAllows, roles as serverRoles } from "../../../src/platform/http/auth/roles.ts";
import { allows, roles } from "../../../web/src/api/roles.ts";

const open = { readsNeedToken: false, tokenProblem: null };
const closed = { readsNeedToken: true, tokenProblem: null };

describe("what a person may do, as the page sees it", () => {
  it("agrees with the server for every two roles", () => {
    expect(roles).toEqual(serverRoles);
    for (const held of roles) {
      for (const needed of roles) {
        expect(allows({ role: held, ...closed }, needed)).toBe(roleAllows(held, needed));
      }
    }
  });

  it("lets nobody known read where that needs no token, and do nothing else", () => {
    expect(allows({ role: null, ...open }, "read")).toBe(true);
    expect(allows({ role: null, ...closed }, "read")).toBe(false);
    expect(allows({ role: null, ...open }, "operate")).toBe(false);
    expect(allows(undefined, "read")).toBe(false);
  });

  it("lets nobody read with a token that is not good, also where none is needed", () => {
    expect(allows({ role: null, ...open, tokenProblem: "revoked" }, "read")).toBe(false);
    expect(allows({ role: null, ...open, tokenProblem: null }, "read")).toBe(true);
  });
});
