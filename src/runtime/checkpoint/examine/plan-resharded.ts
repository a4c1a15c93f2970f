import type { Mesh } from "../../dist/mesh/index.ts";
import { targetLayout } from "../load/target-layout.ts";
import type { Manifest } from "../manifest/index.ts";
import type { LoadOptions } from "../options.ts";
import { boxesOfAll, boxesOnMesh, planSave, type SavePlan } from "../save/index.ts";

/** What a checkpoint's tensors are and where they are to lie. */
export interface ToReshard {
  /** The source's name, for messages. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly mesh: Mesh;
  readonly layouts: LoadOptions["layouts"];
  /** Of what is written. */
  readonly tag: string;
}

/**
 * Which files another mesh would have saved, from manifests alone.
 *
 * @throws E_CHECKPOINT_LAYOUT
 */
export function planResharded({ name, manifest, mesh, layouts, tag }: ToReshard): SavePlan {
  const question = { checkpoint: name, manifest, mesh, layouts };
  const tensors = manifest.tensors.map((tensor) => {
    const { dtype, shape } = tensor;
    const layout = targetLayout(tensor, question);
    const boxes =
      layout === undefined ? boxesOfAll(shape, mesh.size) : boxesOnMesh(layout, { mesh, shape });
    return { name: tensor.name, dtype, shape, layout: layout?.placements ?? null, boxes };
  });
  return planSave({ tag, tensors, writers: mesh.size });
}
