import { describe, expect, it } from "vitest";
import { type DeedContext, deedsOf } from "../../../src/chaos/kubernetes/deeds/index.ts";
import type { PodView } from "../../../src/chaos/kubernetes/objects.ts";

const there: PodView = {
  name: "server-1",
  uid: "u-1",
  isReady: true,
  hasSucceeded: false,
  isLeaving: false,
  node: "n-1",
  restarts: 0,
};

/** What is seen of a pod that answered when it was cut off, and later is `after`. */
async function seenOf(after: {
  readonly pod: PodView | undefined;
  readonly answers: boolean | undefined;
}) {
  let pod: PodView | undefined = there;
  let answers = after.answers === undefined ? undefined : true;
  const accept = async () => ({});
  const context: DeedContext = {
    client: { patch: accept, create: accept } as never,
    namespace: "serving",
    run: "k-1",
    pods: () => [],
    pod: () => pod,
    leaseUntilMs: () => 0,
    ...(answers === undefined ? {} : { isReachable: async () => answers === true }),
  };
  const [deed] = await deedsOf(
    {
      id: "f-1",
      fault: "network_policy",
      targets: [{ kind: "pod", namespace: "serving", name: "server-1" }],
      params: { direction: "both" },
      trigger: { kind: "time", atUs: 0 },
      durationUs: 1_000_000,
    },
    context,
  );
  await deed?.act({ dryRun: false });
  ({ pod, answers } = after);
  return deed?.see();
}

describe("a pod that a policy cuts off", () => {
  it("is cut off when it is there and does not answer any more", async () => {
    expect(await seenOf({ pod: there, answers: false })).toHaveProperty("effect");
  });

  it.each([
    ["still answers", there, true, "seems to enforce no network policies"],
    ["is gone", undefined, false, "pod server-1 is gone"],
    ["is another one", { ...there, uid: "u-2" }, false, "pod server-1 is gone"],
    ["is leaving", { ...there, isReady: false, isLeaving: true }, false, "pod server-1 is gone"],
  ])("is not proven to be when it %s", async (_, pod, answers, why) => {
    expect(await seenOf({ pod, answers })).toEqual({ why: expect.stringContaining(why) });
  });

  it("shows by its own probes where nobody can ask it, unless it leaves", async () => {
    const lost = { ...there, isReady: false };
    expect(await seenOf({ pod: lost, answers: undefined })).toHaveProperty("effect");
    const leaving = { ...lost, isLeaving: true };
    expect(await seenOf({ pod: leaving, answers: undefined })).toHaveProperty("why");
    expect(await seenOf({ pod: there, answers: undefined })).toHaveProperty("why");
  });
});
