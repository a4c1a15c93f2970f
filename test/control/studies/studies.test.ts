import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  collectiveCurveSchema,
  collectiveQuery,
  scalingQuery,
  scalingStudySchema,
  studyChoicesSchema,
} from "../../../src/control/api/studies.ts";
import { AnswerCache } from "../../../src/control/studies/answer-cache.ts";
import { collectiveCurve } from "../../../src/control/studies/collective-curve.ts";
import { scalingStudy } from "../../../src/control/studies/scaling-study.ts";
import { isTesseraError } from "../../../src/platform/errors/index.ts";
import { algorithms, collectiveOps } from "../../../src/runtime/dist/time-model/index.ts";
import { topologyNames } from "../../../src/runtime/dist/topology/index.ts";
import { modelScaling } from "../../../src/runtime/scaling/study/index.ts";
import { startPlane } from "../support.ts";

describe("the curve of a collective", () => {
  test("is modelled, rises with bytes and says how far off it may be", () => {
    const curve = collectiveCurve(collectiveQuery.parse({}));
    expect(collectiveCurveSchema.safeParse(curve).error).toBeUndefined();
    expect(curve).toMatchObject({ op: "all-reduce", topology: "gb200-nvl72", devices: 72 });
    const times = curve.points.map(({ timeUs }) => timeUs);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(curve.notes.join(" ")).toContain("4.7 %");
    expect(curve.command).toBe(
      "tessera collective all-reduce --devices 72 --topology nvl72 --sweep 1024..8589934592",
    );
  });

  test("is an answer or a refusal with a reason for whatever is asked", () => {
    const anything = fc.record({
      op: fc.constantFrom(...collectiveOps, "all_reduce", "nonsense"),
      topology: fc.constantFrom(...topologyNames, "nvl72", "hgx-h100+xdr", "moon"),
      devices: fc.oneof(fc.integer({ min: 2, max: 100 }), fc.integer({ min: 2, max: 1_000_000 })),
      algorithm: fc.constantFrom(...algorithms, "magic"),
      concurrentGroups: fc.integer({ min: 1, max: 100_000 }),
      fromBytes: fc.integer({ min: 1, max: 2 ** 40 }),
      toBytes: fc.integer({ min: 1, max: 2 ** 40 }),
    });
    fc.assert(
      fc.property(anything, (query) => {
        try {
          const curve = collectiveCurve(collectiveQuery.parse(query));
          expect(collectiveCurveSchema.safeParse(curve).error).toBeUndefined();
        } catch (error) {
          if (!isTesseraError(error)) throw error;
          expect(error.httpStatus).toBe(400);
        }
      }),
    );
  });
});

describe("a study of scaling", () => {
  test("has the figures of the command line", async () => {
    const query = scalingQuery.parse({ kind: "strong", devices: "1,8,64" });
    const study = await scalingStudy(query);
    expect(scalingStudySchema.safeParse(study).error).toBeUndefined();
    const options = { kind: "strong", devices: [1, 8, 64], topology: "hgx-h100" } as const;
    const { curve } = modelScaling(options);
    expect(study.points.map(({ timeS }) => timeS)).toEqual(curve.points.map(({ timeS }) => timeS));
    expect(study.command).toBe(
      "tessera scale strong --topology hgx-h100 --workload gpt-1b --devices 1,8,64",
    );
    expect(study.notes.join(" ")).toContain("Megatron-LM published");
    expect(study.notes.join(" ")).not.toContain("resamples");
  });

  test.each([
    [{ devices: "0" }, "E_REQUEST_INVALID"],
    [{ devices: Array.from({ length: 30 }, (_, at) => at + 1).join(",") }, "E_REQUEST_INVALID"],
    [{ devices: "," }, "E_REQUEST_INVALID"],
    [{ topology: "moon" }, "E_TOPOLOGY"],
    [{ workload: "poem" }, "E_WORKLOAD"],
    [{ workload: "gpt-175b", devices: "1" }, undefined],
  ])("of %j is refused with %s", async (given, code) => {
    const outcome = await scalingStudy(scalingQuery.parse(given)).catch((error: unknown) => error);
    if (code === undefined) expect(outcome).toHaveProperty("points");
    else expect(outcome).toMatchObject({ code });
  });
});

describe("answers that are kept", () => {
  test("are worked out once, and the oldest makes place", async () => {
    const cache = new AnswerCache<number>(2);
    let worked = 0;
    const ask = (question: string) => cache.of(question, async () => ++worked);
    expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual([1, 1, 2]);
    expect(await ask("a")).toBe(1);
    expect(await ask("c")).toBe(3);
    expect(await ask("b")).toBe(4);
  });

  test("are no refusals", async () => {
    const cache = new AnswerCache<number>(2);
    await expect(cache.of("a", async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.of("a", async () => 1)).toBe(1);
  });
});

test("the API answers with choices, curves and studies, and with 400 for names it does not know", async () => {
  await using plane = await startPlane();
  const get = (path: string) => plane.call("GET", `/api/v1/studies/${path}`);
  const choices = studyChoicesSchema.parse((await get("choices")).json);
  expect(choices.topologies.map(({ name }) => name)).toContain("hgx-h100");
  expect((await get("collective?op=all-gather&devices=16&topology=hgx-h100")).status).toBe(200);
  expect((await get("scaling?kind=weak&devices=1..16")).status).toBe(200);
  expect((await get("collective?topology=moon")).json).toMatchObject({ code: "E_TOPOLOGY" });
  expect((await get("scaling?devices=1e9")).status).toBe(400);
});
