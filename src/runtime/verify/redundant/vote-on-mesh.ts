import type { Block } from "../../dist/array/block.ts";
import { digestOfBlock } from "../../dist/array/digests.ts";
import type { DistTensor } from "../../dist/array/index.ts";
import type { DeviceId } from "../../dist/mesh/index.ts";
import { type Ballot, countBallots } from "./ballots.ts";
import { assemble, computeParts, type MeshProduct, workersFor } from "./mesh-product.ts";
import { textOf } from "./vote-text.ts";
import type { OpenPart, Vote } from "./vote-types.ts";

/** Every rank's part is voted on by its own device and the next ones that it reaches. */
export function voteOnMesh(product: MeshProduct, devices: number): Vote<DistTensor> {
  const { mesh } = product;
  const workers = mesh.devices.map((_, rank) => workersFor(product, rank).slice(0, devices));
  const rounds = Array.from({ length: Math.min(devices, mesh.size) }, (_, round) =>
    computeParts(product, (rank) => workers[rank]?.[round] ?? rank),
  );
  const wrong = new Map<DeviceId, number[]>();
  const open: OpenPart[] = [];
  const winners = workers.map((its, rank): Block | undefined => {
    const blocks = its.map((_, round) => rounds[round]?.[rank] as Block);
    const ballots = its.map(
      (worker, round): Ballot => ({
        device: mesh.deviceOf(worker),
        answer: digestOfBlock(blocks[round] as Block),
      }),
    );
    const outcome = countBallots(ballots, devices);
    if (outcome.verdict === "inconclusive") {
      const { reason } = outcome;
      open.push({ rank, devices: ballots.map(({ device }) => device), reason });
      return undefined;
    }
    for (const device of outcome.outvoted) wrong.set(device, [...(wrong.get(device) ?? []), rank]);
    return blocks[outcome.winner];
  });
  const outvoted = [...wrong].map(([device, ranks]) => ({ device, ranks }));
  const verdict =
    open.length > 0 ? "inconclusive" : outvoted.length > 0 ? "outvoted" : ("agreed" as const);
  const independence = mesh.size > 1 ? "other-device" : "same-device";
  const notes = [`VOTE ${devices} devices computed each rank's part`];
  return {
    verdict,
    ...(open.length > 0 ? {} : { value: assemble(product, winners as readonly Block[], notes) }),
    outvoted,
    open,
    independence,
    text: textOf({ verdict, outvoted, open, independence, devices }),
  };
}
