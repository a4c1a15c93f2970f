import { describe, expect, it } from "vitest";
import { blamedRanks, type Evidence, type Trouble } from "../../../src/chaos/elastic/blame.ts";
import type { TroubleCause } from "../../../src/chaos/elastic/index.ts";

function evidence(given: Partial<Evidence> = {}): Evidence {
  const none = new Set<number>();
  return {
    ranks: 4,
    exited: none,
    noticed: none,
    silent: none,
    fading: none,
    troubles: [],
    lagging: [],
    ...given,
  };
}

/** `0:1,2` is rank 0, which suspects ranks 1 and 2. */
function suspicions(text: string, cause: TroubleCause = "collective"): readonly Trouble[] {
  return text.split(" ").map((one) => {
    const [rank, suspects = ""] = one.split(":");
    const list = suspects === "" ? [] : suspects.split(",").map(Number);
    return { rank: Number(rank), cause, suspects: list };
  });
}

describe("to blame is", () => {
  it.each<[string, Partial<Evidence>, readonly number[]]>([
    [
      "who ended, whatever others suspect",
      { exited: new Set([2]), troubles: suspicions("0:1 3:1") },
      [2],
    ],
    ["who ended before who is silent", { exited: new Set([2]), silent: new Set([1]) }, [2]],
    [
      "who is silent before who is suspected",
      { silent: new Set([1]), troubles: suspicions("0:3 2:3") },
      [1],
    ],
    [
      "who is silent for too long, and not yet who has missed some beats",
      { silent: new Set([1]), fading: new Set([1, 2]) },
      [1],
    ],
    [
      "whom others suspect, when the one who hears little is cut off",
      { silent: new Set([3]), fading: new Set([1, 2, 3]), troubles: suspicions("1:0 2:0 3:0") },
      [0],
    ],
    ["who is alone and silent", { ranks: 1, silent: new Set([0]), fading: new Set([0]) }, [0]],
    [
      "whose own device failed",
      { troubles: [...suspicions("2", "device"), ...suspicions("0:1 3:1")] },
      [2],
    ],
    ["who ran out of memory", { troubles: suspicions("3", "memory") }, [3]],
    ["whom most suspect", { troubles: suspicions("0:3 1:3 2:1") }, [3]],
    [
      "all whom most suspect and who do not complain",
      { troubles: suspicions("0:2,3 1:2,3") },
      [2, 3],
    ],
    ["who does not complain, at the end of a chain", { troubles: suspicions("0:3 1:0 2:1") }, [3]],
    ["the one that a cut leaves alone", { troubles: suspicions("0:3 1:3 2:3 3:0,1,2") }, [3]],
    [
      "the minority of a comparison",
      { troubles: suspicions("0:1 1:1 2:1 3:1", "comparison") },
      [1],
    ],
    ["who lags behind all others", { lagging: [2] }, [2]],
    [
      "who kept others waiting, though one of them was in a lost exchange",
      { troubles: suspicions("0 1:0,3 2:0,3") },
      [3],
    ],
    ["who is alone", { ranks: 1, lagging: [0] }, [0]],
    [
      "who will be taken away, beside others",
      { noticed: new Set([3]), exited: new Set([0]) },
      [0, 3],
    ],
  ])("%s", (_, given, blamed) => {
    expect(blamedRanks(evidence(given))).toEqual(blamed);
  });

  it.each<[string, Partial<Evidence>]>([
    ["nothing is known", {}],
    [
      "most are silent, or about to be: the link of who listens is to blame",
      { silent: new Set([3]), fading: new Set([1, 2, 3]) },
    ],
    ["two halves accuse each other", { troubles: suspicions("0:2,3 1:2,3 2:0,1 3:0,1") }],
    ["two ranks accuse each other", { ranks: 2, troubles: suspicions("0:1 1:0") }],
    ["who complains suspects nobody", { troubles: suspicions("0 1", "storage") }],
    ["a rank suspects only itself or nobody there is", { troubles: suspicions("0:0,9") }],
    [
      "those whom others waited for were in an exchange that was lost",
      { ranks: 8, troubles: suspicions("3 7 0:3,7 1:3 2:3,7 4:3,7 5:7 6:3,7") },
    ],
    ["all lag", { lagging: [0, 1, 2, 3] }],
  ])("nobody when %s", (_, given) => {
    expect(blamedRanks(evidence(given))).toEqual([]);
  });
});
