import assert from "node:assert/strict";
import { Tensor } from "../../runtime/tensor/index.ts";
import { createShareMemo } from "../../runtime/training/links/share-memo.ts";
import type { StepLinks } from "../../runtime/training/links/step-links.ts";

export interface ReplicaLinksOptions {
  readonly replicas: number;
  /** What a replica hands to a sum, as it leaves it; null: nothing, it is left out. */
  readonly handedIn: (replica: number, numbers: Tensor, name: string) => Tensor | null;
}

interface Meeting {
  readonly parts: (Tensor | null | undefined)[];
  here: number;
  readonly sum: Promise<Tensor>;
  readonly settle: (sum: Tensor) => void;
}

const alone = { index: 0, size: 1 };

/**
 * Links between replicas of one process, each of which has all columns and all layers. Sums are of whole
 * numbers (limbs of exact sums), so their order does not matter.
 */
export function createReplicaLinks(options: ReplicaLinksOptions): readonly StepLinks[] {
  const { replicas, handedIn } = options;
  const shared = createShareMemo();
  const meetings = new Map<string, Meeting>();
  const meet = (replica: number, numbers: Tensor, name: string): Promise<Tensor> => {
    const meeting = meetings.get(name) ?? newMeeting(replicas);
    meetings.set(name, meeting);
    assert(meeting.parts[replica] === undefined, "a replica comes to each sum once");
    meeting.parts[replica] = handedIn(replica, numbers, name);
    meeting.here++;
    if (meeting.here === replicas) meeting.settle(added(meeting.parts, numbers));
    return meeting.sum;
  };
  return Array.from({ length: replicas }, (_, replica) => ({
    place: { dp: { index: replica, size: replicas }, tp: alone, pp: alone },
    // A sum over columns or layers alone has one summand.
    allReduce: (tensor, { over, name }) =>
      over.includes("dp") ? meet(replica, tensor, name) : Promise.resolve(tensor),
    send: () => Promise.reject(new assert.AssertionError({ message: "there is one stage" })),
    recv: () => Promise.reject(new assert.AssertionError({ message: "there is one stage" })),
    computed: (_op, tensor) => tensor,
    shared,
  }));
}

function newMeeting(replicas: number): Meeting {
  let settle: (sum: Tensor) => void = () => undefined;
  const sum = new Promise<Tensor>((resolve) => {
    settle = resolve;
  });
  return { parts: Array.from({ length: replicas }), here: 0, sum, settle };
}

function added(parts: readonly (Tensor | null | undefined)[], like: Tensor): Tensor {
  assert(like.dtype === "f64", "exact sums are sums of limbs");
  const sum = new Float64Array(like.size);
  for (const part of parts) {
    if (part === null || part === undefined) continue;
    const numbers = part.toRaw() as Float64Array;
    for (let at = 0; at < sum.length; at++) {
      sum[at] = (sum[at] as number) + (numbers[at] as number);
    }
  }
  return Tensor.over(sum, { dtype: "f64", shape: like.shape });
}
