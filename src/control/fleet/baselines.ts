import { OverflowError, Semaphore } from "../../platform/concurrency/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { type Provenance, provenances } from "../../platform/words.ts";
import {
  activateBaseline,
  findBaseline,
  proposeByHand,
  rejectBaseline,
  scopeOf,
} from "../../validation/baselines/index.ts";
import type { BaselineRecord } from "../../validation/history/index.ts";
import type { BaselinesPort, BaselineView } from "../api/baselines.ts";
import { decodeCursor, encodeCursor, wholeNumber } from "./cursor.ts";
import type { Fleet } from "./fleet.ts";

/** Each reads up to 50,000 runs. */
const learnedAtOnce = 1;
const waitingMax = 4;
const retryAfterS = 10;

/** What was learned as usual, and a person's decision about it. */
export function createBaselinesPort(fleet: Fleet): BaselinesPort {
  const { history, store, clock } = fleet;
  const learning = new Semaphore({ permits: learnedAtOnce, waitersMax: waitingMax });
  const find = (id: string) => findBaseline(history, id, store.shown);
  return {
    list: async ({ sku, check, state, limit, cursor }) => {
      const route = "GET /api/v1/baselines";
      const place = decodeCursor(cursor, route);
      const after = place && { madeAtMs: wholeNumber(place[0], route), id: place[1] };
      const found = await history.baselines({
        ...(sku === undefined ? {} : { sku }),
        ...(check === undefined ? {} : { check }),
        ...(state === undefined ? {} : { state }),
        ...(after === undefined ? {} : { after }),
        // One more tells whether there is a next page.
        limit: limit + 1,
      });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return {
        baselines: shown.map((one) => viewOf(fleet, one)),
        next: last === undefined ? null : encodeCursor([`${last.madeAtMs}`, last.id]),
      };
    },
    baseline: async (id) => viewOf(fleet, await find(id)),
    propose: async (wish, signal) => {
      const { days } = wish;
      const learn = () => proposeByHand(history, { ...wish, nowMs: clock.nowMs(), signal });
      const made = await learning.run(learn, signal).catch((error: unknown) => {
        throw error instanceof OverflowError ? busy() : error;
      });
      const { runs, candidates, unlearned, activated, refused } = made;
      return {
        runs,
        days,
        candidates: candidates.map((one) => viewOf(fleet, one)),
        unlearned: [...unlearned],
        activated: [...activated],
        refused: [...refused],
      };
    },
    change: async (id, { to, actor, reason }) => {
      const baseline = await find(id);
      const deed = { actor, reason, atMs: Math.max(clock.nowMs(), baseline.changedAtMs) };
      if (to === "active") await activateBaseline(history, baseline, deed);
      else await rejectBaseline(history, baseline, deed);
      return viewOf(fleet, await find(baseline.id));
    },
  };
}

function busy(): TesseraError {
  const details = { what: "proposals", running: learnedAtOnce, waiting: waitingMax };
  return new TesseraError(
    "E_BUSY",
    { ...details, waitS: retryAfterS },
    { hint: `Try again in ${retryAfterS} s; what the others learn is kept.` },
  );
}

function viewOf(fleet: Fleet, baseline: BaselineRecord): BaselineView {
  const { id, sku, check, cohort, state, actor, reason } = baseline;
  const { cluster } = scopeOf(baseline);
  return {
    id,
    sku,
    check,
    cluster: cluster === "" ? null : cluster,
    evidence: evidenceOf(fleet, baseline),
    cohort,
    state,
    madeAt: iso(baseline.madeAtMs),
    expiresAt: iso(baseline.expiresAtMs),
    changedAt: iso(baseline.changedAtMs),
    actor,
    reason,
    figures: Object.fromEntries(
      Object.entries(baseline.figures).map(([name, { runSigma = null, ...figure }]) => [
        name,
        { ...figure, runSigma },
      ]),
    ),
    provenance: { ...baseline.provenance },
  };
}

/** What its runs say they were; for one that does not tell, what its cluster is. */
function evidenceOf(fleet: Fleet, baseline: BaselineRecord): Provenance | null {
  const said = provenances.find((one) => one === baseline.provenance["provenance"]);
  const { cluster } = scopeOf(baseline);
  const keeper = fleet.keepers.find(({ entry }) => entry.name === cluster);
  return said ?? keeper?.provenance ?? null;
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
