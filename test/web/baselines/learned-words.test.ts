import { describe, expect, it } from "vitest";
import type { BaselineProposalView, BaselineView } from "../../../src/control/api/baselines.ts";
import { learnedWords } from "../../../web/src/pages/baselines/learned-words.ts";

const nothing: BaselineProposalView = {
  runs: 0,
  days: 14,
  candidates: [],
  unlearned: [],
  activated: [],
  refused: [],
};

const baseline = (state: BaselineView["state"]): BaselineView => ({
  id: `bl-${state}`,
  sku: "h100",
  check: "nccl-loopback",
  cluster: "prod",
  evidence: "measured",
  cohort: "",
  state,
  madeAt: "2026-03-01T00:00:00Z",
  expiresAt: "2026-06-01T00:00:00Z",
  changedAt: "2026-03-01T00:00:00Z",
  actor: "ann",
  reason: "a new driver",
  figures: {},
  provenance: {},
});

const unlearned = (check: string) => ({
  cluster: "prod",
  sku: "h100",
  check,
  cohort: "",
  reason: `${check} on h100 in prod has 3 healthy nodes before the last 24 hours, and 8 are needed`,
});

describe("what came of learning", () => {
  it("says how many candidates there are, from what, and that they count for nothing yet", () => {
    const candidates = [baseline("candidate"), baseline("candidate"), baseline("active")];
    expect(learnedWords({ ...nothing, runs: 1200, candidates })).toBe(
      "2 candidates from 1,200 runs of the last 14 days: nothing is held against them until somebody takes them.",
    );
    const one = { ...nothing, runs: 40, candidates: [baseline("candidate")] };
    expect(learnedWords({ ...one, unlearned: [unlearned("fio")] })).toBe(
      "1 candidate from 40 runs of the last 14 days: nothing is held against it until somebody takes it. For one other kind of run there is too little yet.",
    );
  });

  it("does not call new what was decided on before", () => {
    const candidates = [baseline("active"), baseline("rejected")];
    expect(learnedWords({ ...nothing, runs: 40, candidates })).toBe(
      "Nothing new: what 40 runs of the last 14 days show was learned before, and decided on.",
    );
  });

  it("says why there is none", () => {
    expect(learnedWords(nothing)).toBe(
      "Nothing could be learned: there are no runs of the last 14 days.",
    );
    expect(learnedWords({ ...nothing, runs: 2 })).toContain("none that counts has completed");
    const some = { ...nothing, runs: 9, unlearned: [unlearned("nccl"), unlearned("fio")] };
    expect(learnedWords(some)).toBe(
      "Nothing could be learned from 9 runs of the last 14 days: nccl on h100 in prod has 3 healthy nodes before the last 24 hours, and 8 are needed; the same goes for 1 more.",
    );
  });
});
