import type { DeviceId, Mesh } from "../../mesh/index.ts";

/** What makes a distributed tensor wrong. */
export type ShardingError =
  /** The layout does not fit the mesh or the shape. */
  | "bad-layout"
  /** Elements that no rank holds. */
  | "hole"
  /** Elements that more than one rank of a replica holds. */
  | "overlap"
  /** A rank's part has another shape than its place asks for. */
  | "wrong-shape"
  /** Ranks disagree on the dtype or the number of dimensions. */
  | "metadata"
  /** Copies of the same part differ in bits. */
  | "replica-mismatch"
  /** Values that still have to be reduced cannot be read. */
  | "partial-read"
  /** A device of the mesh is dead. */
  | "dead-device";

/** What is legal and still worth knowing. */
export type ShardingWarning =
  | "uneven"
  | "empty-shard"
  /** A requested split became a copy on every device. */
  | "silent-replication"
  /** The layout differs from the requested one in another way. */
  | "not-as-requested"
  | "axis-of-one"
  /** The mesh does not match the nodes of its topology. */
  | "topology";

/** One violation or remark. */
export interface Finding<Code extends string> {
  readonly code: Code;
  /** Which rank, where it concerns one. */
  readonly rank?: number;
  readonly coordinates?: readonly number[];
  readonly device?: DeviceId;
  /** A whole sentence. */
  readonly message: string;
}

/** What a finding says; the rank's place is filled in. */
export interface Remark<Code extends string> {
  readonly code: Code;
  readonly rank?: number;
  /** A function where there may be very many, of which few are listed. */
  readonly message: string | (() => string);
}

/** Of each code so many findings are kept; all are counted. */
const listedMax = 32;

/** Collects findings, so many of each code. */
export class Findings<Code extends string> {
  readonly listed: Finding<Code>[] = [];
  readonly counts = new Map<Code, number>();
  readonly #mesh: Mesh;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
  }

  add({ code, rank, message }: Remark<Code>): void {
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    if (count > listedMax) return;
    const place =
      rank === undefined
        ? {}
        : { rank, coordinates: this.#mesh.coordinatesOf(rank), device: this.#mesh.deviceOf(rank) };
    const text = typeof message === "string" ? message : message();
    this.listed.push({ code, ...place, message: text });
  }
}

/** A rank as it stands in sentences: `rank 5 (tp 0, pp 2, dp 1; device 5)`. */
export function nameRank(mesh: Mesh, rank: number): string {
  const coordinates = mesh.coordinatesOf(rank);
  const place = mesh.axes.map((axis, index) => `${axis} ${coordinates[index] ?? 0}`).join(", ");
  return `rank ${rank} (${place}; device ${mesh.deviceOf(rank)})`;
}
