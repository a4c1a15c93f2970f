import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  emptyLog,
  hasMore,
  keptCharsMax,
  linesOf,
  partsOf,
  stateWords,
  withPiece,
} from "../../../web/src/pages/runs/log-model.ts";

function piece(text: string, offset: number, sizeBytes = offset + text.length) {
  return { text, offset, next: offset + text.length, sizeBytes, isOver: false };
}

describe("a log that grows", () => {
  it("is the same however it comes in pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 20 }), (texts) => {
        let log = emptyLog;
        for (const text of texts) log = withPiece(log, piece(text, log.next));
        expect(log.text).toBe(texts.join(""));
        expect(log.isCut).toBe(false);
      }),
    );
  });

  it("passes over a piece that does not follow", () => {
    const log = withPiece(emptyLog, piece("one\n", 0));
    expect(withPiece(log, piece("one\n", 0))).toBe(log);
    expect(withPiece(log, piece("three\n", 9))).toBe(log);
  });

  it("knows when more is there than came", () => {
    expect(hasMore(withPiece(emptyLog, piece("one\n", 0, 400)))).toBe(true);
    expect(hasMore(withPiece(emptyLog, piece("one\n", 0)))).toBe(false);
  });

  it("lets whole lines at the beginning go when it becomes too long, and says so", () => {
    const long = withPiece(emptyLog, piece("a line\n".repeat(keptCharsMax / 7 + 10), 0));
    expect(long.isCut).toBe(true);
    expect(long.text.length).toBeLessThanOrEqual(keptCharsMax);
    expect(long.text.startsWith("a line\n")).toBe(true);
    const more = withPiece(long, piece("end\n", long.next));
    expect(more.text.endsWith("a line\nend\n")).toBe(true);
    expect(more.isCut).toBe(true);
  });
});

describe("the lines of a log", () => {
  it("have numbers and no colours of terminals", () => {
    expect(linesOf("\u001b[31mred\u001b[0m\nplain\n", "")).toEqual({
      lines: [
        { number: 1, text: "red" },
        { number: 2, text: "plain" },
      ],
      total: 2,
    });
    expect(linesOf("", "").lines).toEqual([]);
  });

  it("are those that have the words, with the numbers they had", () => {
    const found = linesOf("one\nTwo\nthree two\n", "two");
    expect(found.lines.map(({ number }) => number)).toEqual([2, 3]);
    expect(linesOf("one\n", "four").total).toBe(0);
  });

  it("are marked where they have the words, and lose nothing", () => {
    expect(partsOf("a NaN and nan", "nan")).toEqual([
      { text: "a ", isFound: false },
      { text: "NaN", isFound: true },
      { text: " and ", isFound: false },
      { text: "nan", isFound: true },
    ]);
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, search) => {
        fc.pre(text.toLowerCase().length === text.length);
        expect(
          partsOf(text, search)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});

describe("how a log stands", () => {
  const now = { isPaused: false, isRefused: false, isTroubled: false };

  it("is live while the run writes, and complete when it is over", () => {
    expect(stateWords(withPiece(emptyLog, piece("", 0)), now)).toBe("live");
    expect(stateWords({ ...emptyLog, isOver: true }, { ...now, isPaused: true })).toBe("complete");
  });

  it("is neither live nor empty before anything is known of it", () => {
    expect(stateWords(emptyLog, now)).toBe("loading");
    expect(emptyLog.isKnown).toBe(false);
    expect(withPiece(emptyLog, piece("", 0)).isKnown).toBe(true);
  });

  it("is never live when the server refuses it, cannot be asked, or nobody asks", () => {
    expect(stateWords(emptyLog, { ...now, isRefused: true, isTroubled: true })).toBe(
      "not to be had",
    );
    expect(stateWords(emptyLog, { ...now, isTroubled: true })).toBe("interrupted");
    expect(stateWords(emptyLog, { ...now, isPaused: true })).toBe("paused");
  });
});
