import { resolve } from "node:path";
import { Mesh, productOf } from "../../runtime/dist/mesh/index.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";
import { pathAt } from "./path-at.ts";

/** What `tessera checkpoint reshard` asks for. */
export interface ReshardRequest {
  /** As it was typed, for people. */
  readonly from: string;
  readonly fromPath: string;
  readonly mesh: Mesh;
  /** As it was typed. */
  readonly out: string;
  readonly root: string;
  readonly tag: string | undefined;
  readonly dryRun: boolean;
}

const devicesMax = 1_000_000;

/** Reads the arguments. @throws E_USAGE, E_MESH_… */
export async function readReshardRequest({
  args,
  options,
  io,
}: Invocation): Promise<ReshardRequest> {
  const from = args[0] ?? "";
  const { to, out, tag } = options;
  if (typeof to !== "string") throw reshardUsage("Give --to, the new mesh, such as tp=8,dp=9");
  if (typeof out !== "string") throw reshardUsage("Give --out, the folder to write to");
  return {
    from,
    fromPath: await pathAt(io.cwd, from),
    mesh: meshOf(to),
    out,
    root: resolve(io.cwd, out),
    tag: typeof tag === "string" ? tag : undefined,
    dryRun: options["dryRun"] === true,
  };
}

/** The mesh of `tp=8,dp=9`. */
function meshOf(text: string): Mesh {
  const parts = text.split(",").map((part) => /^([A-Za-z_]\w{0,31})=(\d{1,7})$/.exec(part.trim()));
  const axes = parts.map((part) => part?.[1] ?? "");
  const shape = parts.map((part) => Number(part?.[2] ?? 0));
  if (axes.includes("") || shape.includes(0)) {
    throw reshardUsage(`\`--to ${text}\` is no mesh: give each axis its size, as in tp=8,dp=9`);
  }
  const devices = productOf(shape);
  if (devices > devicesMax) {
    throw reshardUsage(`A mesh has at most ${devicesMax} devices here, not ${devices}`);
  }
  return new Mesh({ axes, shape, devices });
}

export function reshardUsage(problem: string) {
  return usageError("checkpoint reshard", `${problem}.`);
}
