import { describe, expect, it } from "vitest";
import { isTesseraError } from "../../../src/platform/errors/index.ts";
import { parseLog } from "../../../src/validation/replay/index.ts";
import { smallFleet } from "./small-log.ts";

const header = JSON.stringify(smallFleet());
const withEvents = (...events: readonly object[]) =>
  parseLog([header, ...events.map((event) => JSON.stringify(event))].join("\n")).events;

function problemOf(text: string): string {
  try {
    parseLog(text, "fleet.jsonl");
  } catch (error) {
    if (isTesseraError(error)) return `${error.code} ${error.message}`;
  }
  return "nothing wrong";
}

describe("a log", () => {
  it("is its fleet and its events, nodes by their place in the fleet", () => {
    const { fleet, events } = parseLog(`${header}\n\n{"type":"busy","t":5,"node":"b"}\r\n`);
    expect(fleet).toMatchObject({ startS: 0, endS: 864_000, limits: { inFlight: 8 } });
    expect(fleet.checks).toEqual([
      { name: "test", minutes: 60, sensitivity: { bad: 1 }, falseAlarm: 0 },
    ]);
    expect(events).toEqual([{ type: "busy", t: 5, node: 1 }]);
  });

  it("may have fields nobody knows, and numbers as names", () => {
    expect(withEvents({ type: "crash", t: 1, node: "a", job: 17, why: { x: 1 } })).toEqual([
      { type: "crash", t: 1, job: "17", nodes: [0], causes: [] },
    ]);
  });

  it("is put in order of time; lines of the same second stay in their order", () => {
    const events = withEvents(
      { type: "busy", t: 9, node: "a" },
      { type: "free", t: 3, node: "b" },
      { type: "free", t: 9, node: "a" },
    );
    expect(events.map(({ type, t }) => `${type} ${t}`)).toEqual(["free 3", "busy 9", "free 9"]);
  });

  it("leaves out what is after the end", () => {
    expect(withEvents({ type: "free", t: 864_001, node: "a" })).toEqual([]);
    expect(withEvents({ type: "free", t: 864_000, node: "a" })).toHaveLength(1);
  });
});

describe("a log that is not valid", () => {
  it.each([
    ["", "Line 1 of fleet.jsonl is not valid: there is no line that describes the fleet"],
    ["{", "Line 1 of fleet.jsonl is not valid: it is not JSON"],
    ['{"type":"free","t":0,"node":"a"}', "it must describe the fleet"],
    [JSON.stringify(smallFleet({ nodes: [] })), "nodes"],
    [JSON.stringify(smallFleet({ end: 0 })), "the end is not after the start"],
    [JSON.stringify(smallFleet({ limits: { inFlight: 0, gpuHoursPerDay: 1 } })), "limits.inFlight"],
    [
      JSON.stringify(smallFleet({ checks: [{ name: "x", minutes: 0, sensitivity: {} }] })),
      "checks.0.minutes",
    ],
    [
      JSON.stringify(
        smallFleet({ checks: [{ name: "x", minutes: 5, sensitivity: { bad: 1.5 } }] }),
      ),
      "checks.0.sensitivity.bad",
    ],
    [
      JSON.stringify(
        smallFleet({ nodes: ["a", "a"].map((name) => ({ name, sku: "s", rack: "r", gpus: 8 })) }),
      ),
      "two nodes are called a",
    ],
  ])("%.40s… is refused as its header", (text, problem) => {
    expect(problemOf(text)).toContain("E_LOG_INVALID");
    expect(problemOf(text)).toContain(problem);
  });

  it.each([
    ["NaN", "it is not JSON"],
    ['{"type":"busy","t":0,"node":', "it is not JSON"],
    ["[]", "it is not an object"],
    ["null", "it is not an object"],
    ['{"type":"bussy","t":0,"node":"a"}', 'there is no event "bussy"'],
    ['{"type":"busy","t":"0","node":"a"}', "the t of a busy must be a number"],
    ['{"type":"busy","t":0}', "a busy must name a node"],
    ['{"type":"busy","t":0,"node":"z"}', "the fleet has no node z"],
    ['{"type":"busy","t":-1,"node":"a"}', "its t is -1, before the start"],
    ['{"type":"crash","t":0,"node":"a"}', "a crash must name its job"],
    ['{"type":"kernel","t":0,"node":"a"}', "a kernel event must have a whole number as xid"],
    ['{"type":"kernel","t":0,"node":"a","xid":null}', "a whole number as xid"],
    ['{"type":"crash","t":0,"node":"a","job":"j","defect":{}}', "a cause is the id of a defect"],
    ['{"type":"defect","t":0,"node":"a","kind":"bad"}', "a defect must have an id"],
    ['{"type":"defect","t":0,"node":"a","id":"d1"}', "a defect must have a kind"],
  ])("%s is refused with its line", (line, problem) => {
    const text = [header, "", '{"type":"free","t":0,"node":"a"}', line].join("\n");
    expect(problemOf(text)).toContain("Line 4 of fleet.jsonl is not valid");
    expect(problemOf(text)).toContain(problem);
  });

  it("has two defects of one id", () => {
    const line = '{"type":"defect","t":0,"node":"a","id":"d1","kind":"bad"}';
    expect(problemOf([header, line, line].join("\n"))).toContain("Line 3 of fleet.jsonl");
  });
});
