import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AuditPage,
  entriesMax,
  withNewest,
  withOlder,
} from "../../../web/src/pages/audit/audit-pages.ts";

/** Entries of these numbers, newest first; `next` is the oldest when there is more behind it. */
function page(from: number, to: number): AuditPage {
  const entries = Array.from({ length: Math.max(0, from - to + 1) }, (_, at) => ({
    id: from - at,
    at: "2026-03-01T00:00:00Z",
    actor: "alice",
    action: "node.hold",
    subject: "n-1",
    details: {},
  }));
  return { entries, next: to > 1 ? to : null };
}

const idsOf = ({ entries }: AuditPage) => entries.map(({ id }) => id);

describe("the audit log as it is kept", () => {
  it("loses no entry and has none twice while the newest page moves on", () => {
    const moves = fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 20 });
    fc.assert(
      fc.property(moves, (all) => {
        let newest = 30;
        let kept = withOlder(page(newest, 21), page(20, 11));
        for (const move of all) {
          newest += Math.min(move, 9);
          kept = withNewest(kept, page(newest, newest - 9));
        }
        expect(idsOf(kept)).toEqual(Array.from({ length: newest - 10 }, (_, at) => newest - at));
        expect(kept.next).toBe(11);
      }),
    );
  });

  it("begins anew when more came than a page holds: what lies between is not known", () => {
    const kept = withNewest(page(30, 21), page(60, 51));
    expect(idsOf(kept)).toEqual(idsOf(page(60, 51)));
    expect(kept.next).toBe(51);
  });

  it("grows by itself to a thousand entries at most, and goes on behind the last without a gap", () => {
    let newest = 100;
    let kept = page(newest, 1);
    for (let round = 0; round < 200; round += 1) {
      newest += 50;
      kept = withNewest(kept, page(newest, newest - 99));
    }
    expect(idsOf(kept)).toEqual(idsOf(page(newest, newest - entriesMax + 1)));
    expect(kept.next).toBe(newest - entriesMax + 1);
    const further = withOlder(kept, page(newest - entriesMax, newest - entriesMax - 99));
    expect(withNewest(further, page(newest, newest - 99)).entries).toHaveLength(entriesMax + 100);
  });

  it("ends where the log ends", () => {
    expect(withOlder(page(9, 5), page(4, 1)).next).toBeNull();
    expect(withNewest(page(3, 1), page(4, 1))).toEqual(page(4, 1));
  });
});
