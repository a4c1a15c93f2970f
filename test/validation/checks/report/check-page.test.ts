import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TesseraError } from "../../../../src/platform/errors/index.ts";
import {
  type Report,
  type ReportItem,
  renderHtml,
  verdictOf,
} from "../../../../src/platform/reporters/index.ts";
import { provenances } from "../../../../src/platform/words.ts";
import { checkPage } from "../../../../src/validation/checks/report/index.ts";
import { nastyText } from "../../../platform/plots/arbitraries.ts";
import {
  aboutOf,
  dlUnit,
  eightGpus,
  executionOf,
  gemmFact,
  hostCompute,
  ncclLoopback,
  storageIo,
  voteFact,
} from "./results.ts";

const hostAbout = aboutOf({ check: { name: "host-compute", title: "Known answers" } });
const gpuAbout = aboutOf({ check: { name: "dl-unit", title: "Unit test" }, host: eightGpus });

function section(page: Report, title: string): readonly ReportItem[] {
  return page.sections.find((one) => one.title === title)?.items ?? [];
}

describe("the page of a check that completed", () => {
  const page = checkPage(executionOf(hostCompute), hostAbout);

  test("says first what was found, on which machine", () => {
    expect(verdictOf(page)).toBe("pass");
    expect(page.subject).toBe(
      "node-7: Nothing was proved wrong; 2 figures measured, 2 of them have floors, and keep them.",
    );
    const html = renderHtml(page);
    const order = [
      "2 figures measured",
      "Verdict: pass",
      "<svg",
      ">Answers<",
      ">Figures<",
      ">Evidence<",
    ];
    const places = order.map((text) => html.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("has every figure with unit, value, bound and where it comes from", () => {
    const [gflops] = section(page, "Figures");
    expect(gflops).toMatchObject({ name: "gflops", bound: "at least 1 GFLOP/s" });
    expect(gflops?.reason).toContain("it must be at least 1 GFLOP/s (host).");
    expect(gflops?.facts.map(({ name, unit }) => [name, unit])).toEqual([
      ["median", "GFLOP/s"],
      ["worst 5 %", "GFLOP/s"],
      ["samples", ""],
    ]);
    const html = renderHtml(page);
    expect(html).toContain("<td>at least 1 GFLOP/s</td>");
    expect(html.match(/<td class="provenance">measured<\/td>/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test("has the evidence: versions, machine, profile, options, floors, facts and the result", () => {
    const evidence = section(page, "Evidence");
    const names = ["Versions", "Machine", "Profile", "Options", "Floors", "Facts of the check"];
    expect(evidence.map(({ name }) => name)).toEqual([...names, "Result"]);
    expect(evidence.map(({ reason }) => reason).join("\n")).toMatch(
      /Tessera 0\.1\.0, Node v22\.0\.0.*AMD EPYC.*quick, for at most .* seed 42.*own measurement/s,
    );
    const { attachment } = evidence.at(-1) ?? {};
    const result: unknown = JSON.parse(attachment?.text ?? "");
    expect(result).toMatchObject({
      check: "host-compute",
      outcome: "completed",
      figures: hostCompute.figures,
      facts: hostCompute.facts,
    });
    expect(attachment?.text.split("\n").length).toBeLessThan(40);
  });

  test("shows options without what looks like a secret", () => {
    const options = { command: ["./mine", "--token", "hunter2"], password: "hunter3" };
    const html = renderHtml(checkPage(executionOf(), aboutOf({ options })));
    expect(html).toContain("./mine");
    expect(html).not.toMatch(/hunter[23]/);
  });

  test("warns of a figure that misses its floor, and says which", () => {
    const slow = { samples: [0.2, 0.2, 0.2], higherIsBetter: true, unit: "GFLOP/s" };
    const missed = checkPage(executionOf({ figures: { gflops: slow } }), hostAbout);
    expect(verdictOf(missed)).toBe("warn");
    expect(missed.subject).toContain("gflops is 0.2 GFLOP/s, below the floor of 1 GFLOP/s");
    // On another machine, and of another check, the same name has no floor.
    for (const about of [aboutOf(), { ...hostAbout, host: eightGpus }]) {
      expect(verdictOf(checkPage(executionOf({ figures: { gflops: slow } }), about))).toBe("pass");
    }
  });

  test("is undecided where a sample is no number, and draws it as missing", () => {
    const samples = [1, Number.NaN, 3, 4, 5, 6];
    const page = checkPage(
      executionOf({ figures: { x: { samples, higherIsBetter: true } } }),
      hostAbout,
    );
    expect(verdictOf(page)).toBe("unknown");
    expect(page.subject).toContain("1 of 6 samples are no numbers");
    expect(page.plots[0]).toMatchObject({ series: [{ y: [1, null, 3, 4, 5, 6] }] });
  });

  test("says what a good result does not say, and that it was a rehearsal", () => {
    const page = checkPage(executionOf(ncclLoopback()), aboutOf());
    expect(page.notes).toContain(
      "not tested: GPUs and NCCL: the ranks are processes without a GPU",
    );
    const rehearsed = executionOf({ facts: { brokenOnPurpose: { gpu: 0, case: "gemm-bf16" } } });
    expect(checkPage(rehearsed, aboutOf()).notes.join("\n")).toMatch(/rehearsal.*gemm-bf16/);
    expect(checkPage(executionOf(), aboutOf()).notes.join("\n")).not.toMatch(
      /rehearsal|not tested/,
    );
  });
});

describe("the page of a check that proved something wrong", () => {
  const found = { ...dlUnit(), hardFacts: [gemmFact, voteFact] };
  const page = checkPage(executionOf(found), gpuAbout);

  test("says what, and names GPU, board, row and column", () => {
    expect(verdictOf(page)).toBe("fail");
    expect(page.subject).toMatch(
      /^node-7: gpu 2 \(GPU-2a\).*\(and 1 more\)\. All of it names GPU 2\.$/,
    );
    const [first] = section(page, "Answers");
    expect(first?.facts.map(({ name, value }) => [name, value])).toEqual([
      ["suspect", "GPU 2"],
      ["board", "GPU-2a"],
      ["row", "12"],
      ["column", "771"],
    ]);
    expect(section(page, "What the hard facts name")).toMatchObject([
      { name: "GPU 2 (GPU-2a)", reason: "Named by 2 of 2 hard facts." },
    ]);
  });

  test("keeps its figures, and says so when it did not come to its end", () => {
    expect(section(page, "Figures").length).toBe(33);
    const early = { outcome: "error", error: "gpu 2 was lost", hardFacts: [gemmFact] } as const;
    const broken = checkPage(executionOf(early), gpuAbout);
    expect(verdictOf(broken)).toBe("fail");
    expect(broken.subject).toContain("did not complete (error)");
    expect(section(broken, "Answers").at(-1)?.reason).toContain("gpu 2 was lost");
  });
});

describe("the page of a check that did not complete", () => {
  test.each([
    ["error", "Check mine broke off: ./mine: exit code 4"],
    ["timeout", "it did not end within 500 ms"],
    ["cancelled", "Interrupted"],
  ] as const)("with %s is undecided, with the reason and without figures", (outcome, error) => {
    const page = checkPage(executionOf({ outcome, error }), aboutOf());
    expect(verdictOf(page)).toBe("unknown");
    expect(page.subject).toContain(error);
    expect(page.plots).toEqual([]);
    expect(renderHtml(page)).not.toMatch(/Verdict: pass|Nothing was wrong/);
  });

  test("says what to do, as the error does", () => {
    const thrown = new TesseraError("E_CHECK_FAILED", { check: "mine", problem: "no licence" });
    const page = checkPage(
      executionOf({ outcome: "error", error: thrown.message }, thrown),
      aboutOf(),
    );
    expect(section(page, "Answers")[0]?.hint).toBe(thrown.hint);
  });
});

describe("a page", () => {
  test("shows names of a plug-in as text, whatever they are", () => {
    const name = '<img src=x onerror="alert(1)">&amp;';
    const figures = {
      [name]: { samples: [1, 2], higherIsBetter: true, unit: "<b>&" },
      [`${name}.gpu0`]: { samples: [1], higherIsBetter: false },
      [`${name}.gpu1`]: { samples: [2], higherIsBetter: false },
    };
    const plugIn = { figures, hardFacts: [`${name} is down`], facts: { [name]: name } };
    const html = renderHtml(
      checkPage(executionOf(plugIn), aboutOf({ check: { name, title: name } })),
    );
    expect(html).not.toMatch(/<img|<b>/);
    expect(html).toContain("&lt;img src=x onerror=&quot;".replace("&quot;", '"'));
  });

  test("can be made of whatever a check may hand in", () => {
    const figure = fc.record({
      samples: fc.array(fc.oneof(fc.double(), fc.constant(Number.NaN)), { maxLength: 8 }),
      higherIsBetter: fc.boolean(),
      unit: fc.constantFrom("", "GB/s", "ms", "B"),
    });
    const name = fc.oneof(nastyText, fc.constantFrom("x.gpu0", "x.gpu1", "y.gpu1", "y.gpu7"));
    const result = fc.record({
      figures: fc.dictionary(name, figure, { maxKeys: 8 }),
      hardFacts: fc.array(nastyText, { maxLength: 2 }),
      facts: fc.dictionary(nastyText, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    });
    fc.assert(
      fc.property(result, fc.constantFrom("completed", "timeout"), (found, outcome) => {
        const page = checkPage(executionOf({ ...found, outcome }), gpuAbout);
        expect(renderHtml(page)).toContain("Verdict: ");
        for (const plot of page.plots) expect(provenances).toContain(plot.provenance);
        const decided = outcome === "completed" && found.hardFacts.length === 0;
        if (!decided) expect(["fail", "unknown"]).toContain(verdictOf(page));
      }),
      { numRuns: 80, seed: 20261118 },
    );
  });

  test("asks for nothing and has every plot's figures labelled", () => {
    for (const found of [hostCompute, dlUnit(), ncclLoopback(), storageIo()]) {
      const page = checkPage(executionOf(found), gpuAbout);
      const html = renderHtml(page).replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
      expect(html).not.toMatch(/https?:|\ssrc=|\shref=|<script/i);
      expect(page.plots.map(({ provenance }) => provenance)).toEqual(
        page.plots.map(() => "measured"),
      );
    }
  });
});
