import type { NcclCommunicator } from "../../../cuda/nccl/index.ts";
import type { CollectiveOp } from "../../../dist/time-model/types.ts";
import type { CollectiveShape } from "../../measure/shapes.ts";
import { ncclSum } from "./element-types.ts";

/** Collectives that NCCL carries out here. */
export const ncclOps = [
  "all-reduce",
  "reduce-scatter",
  "all-gather",
  "all-to-all",
  "broadcast",
  "reduce",
  "gather",
  "scatter",
  "send-recv",
] as const satisfies readonly CollectiveOp[];
export type NcclOp = (typeof ncclOps)[number];

/** Whether NCCL carries an operation out here. */
export function isNcclOp(op: CollectiveOp): op is NcclOp {
  return (ncclOps as readonly CollectiveOp[]).includes(op);
}

/** One collective on one rank: what it is, where it reads and writes, and on which stream. */
export interface NcclCollective {
  readonly op: NcclOp;
  readonly root: number;
  readonly shape: CollectiveShape;
  readonly send: bigint;
  readonly receive: bigint;
  readonly stream: bigint;
  /** Of ncclDataType_t. */
  readonly type: number;
  readonly elementBytes: number;
}

/** Puts one collective on the stream. */
export async function enqueueCollective(
  communicator: NcclCommunicator,
  collective: NcclCollective,
): Promise<void> {
  const { op, root, shape, send, receive, stream, type } = collective;
  const { elements, share } = shape;
  switch (op) {
    case "all-reduce":
      return communicator.enqueue("ncclAllReduce", (nccl, comm) =>
        nccl.ncclAllReduce(send, receive, elements, type, ncclSum, comm, stream),
      );
    case "reduce-scatter":
      return communicator.enqueue("ncclReduceScatter", (nccl, comm) =>
        nccl.ncclReduceScatter(send, receive, share, type, ncclSum, comm, stream),
      );
    case "all-gather":
      return communicator.enqueue("ncclAllGather", (nccl, comm) =>
        nccl.ncclAllGather(send, receive, share, type, comm, stream),
      );
    case "broadcast":
      return communicator.enqueue("ncclBroadcast", (nccl, comm) =>
        nccl.ncclBroadcast(send, receive, elements, type, root, comm, stream),
      );
    case "reduce":
      return communicator.enqueue("ncclReduce", (nccl, comm) =>
        nccl.ncclReduce(send, receive, elements, type, ncclSum, root, comm, stream),
      );
    default:
      return enqueueTransfers(communicator, collective);
  }
}

interface Transfer {
  readonly peer: number;
  /** The first element, and how many. */
  readonly first: number;
  readonly count: number;
}

/** The sends and receives that make up a collective for which NCCL has no call of its own. */
function transfersOf(
  { op, root, shape }: NcclCollective,
  { rank, worldSize }: { readonly rank: number; readonly worldSize: number },
): { readonly sends: readonly Transfer[]; readonly receives: readonly Transfer[] } {
  const { share: count, elements } = shape;
  const all = Array.from({ length: worldSize }, (_, peer) => ({
    peer,
    first: peer * count,
    count,
  }));
  const own = [{ peer: root, first: 0, count }];
  if (op === "gather") return { sends: own, receives: rank === root ? all : [] };
  if (op === "scatter") return { sends: rank === root ? all : [], receives: own };
  if (op === "all-to-all") return { sends: all, receives: all };
  const whole = { first: 0, count: elements };
  return {
    sends: [{ peer: (rank + 1) % worldSize, ...whole }],
    receives: [{ peer: (rank + worldSize - 1) % worldSize, ...whole }],
  };
}

async function enqueueTransfers(
  communicator: NcclCommunicator,
  collective: NcclCollective,
): Promise<void> {
  const { send, receive, stream, type, elementBytes } = collective;
  const { sends, receives } = transfersOf(collective, communicator);
  const at = (base: bigint, first: number) => base + BigInt(first * elementBytes);
  await communicator.enqueueGroup("ncclSend and ncclRecv", (nccl, comm) => [
    ...sends.map(({ peer, first, count }) =>
      nccl.ncclSend(at(send, first), count, type, peer, comm, stream),
    ),
    ...receives.map(({ peer, first, count }) =>
      nccl.ncclRecv(at(receive, first), count, type, peer, comm, stream),
    ),
  ]);
}
