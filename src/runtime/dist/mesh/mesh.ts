import { createHash } from "node:crypto";
import { TesseraError } from "../../../platform/errors/index.ts";
import { axisIndexIn, checkAxisNames, showAxes } from "./axis-names.ts";
import { badDevices, type DeviceId, readDevices } from "./device-list.ts";
import { coordinatesIn, groupContaining, groupsAlong, stridesOf } from "./groups.ts";
import type { Inherited, MeshOptions, WithoutOptions } from "./mesh-options.ts";
import { placeOnNodes } from "./nodes.ts";
import { productOf, resolveShape, type ShapeRule, showShape } from "./shape-rules.ts";
import { shrink } from "./shrink.ts";

/**
 * Devices on a grid with named axes. Ranks are row-major: the last axis is the fastest.
 * A mesh never changes; methods that would change it give a new one.
 *
 * ```ts
 * new Mesh({ axes: ["tp", "pp", "dp"], devices: 72 }).shape; // [6, 6, 2]
 * ```
 */
export class Mesh {
  readonly axes: readonly string[];
  readonly shape: readonly number[];
  /** Device ids by rank. */
  readonly devices: readonly DeviceId[];
  readonly size: number;
  /** Where the shape comes from. */
  readonly rule: ShapeRule;
  /** What is odd about the mesh, each with a name in capitals first. */
  readonly warnings: readonly string[];
  /** The system the devices are part of, if it was given. */
  readonly topology: string | undefined;
  readonly #strides: readonly number[];
  readonly #nodes: ReadonlyMap<DeviceId, number>;
  readonly #groups = new Map<string, readonly (readonly number[])[]>();
  #rankOfDevice: Map<DeviceId, number> | undefined;
  #fingerprint: string | undefined;

  /**
   * @param inherited what a mesh made from another one keeps of it; only this class gives it
   * @throws E_MESH_AXES, E_MESH_DEVICES, E_MESH_SHAPE, E_MESH_AXIS (a shape that names another
   *   axis), E_MESH_DEGENERATE (strict), E_TOPOLOGY.
   */
  constructor(options: MeshOptions, inherited?: Inherited) {
    const { shape: given, topology } = options;
    this.axes = [...(options.axes ?? defaultAxes(given))];
    checkAxisNames(this.axes);
    const { ids, nesting } = readDevices(options.devices);
    const { shape, rule, warnings } = resolveShape({
      axes: this.axes,
      count: ids.length,
      nesting,
      given,
      topology,
      strict: options.strict ?? false,
    });
    this.shape = shape;
    this.devices = ids;
    this.size = ids.length;
    this.rule = rule;
    this.warnings = warnings;
    this.topology = topology;
    this.#strides = stridesOf(shape);
    this.#nodes = inherited?.nodes ?? placeOnNodes(this);
  }

  /** `sha256:…` of axes, shape, devices and topology: equal for equal meshes, on every machine. */
  get fingerprint(): string {
    if (this.#fingerprint === undefined) {
      const { axes, devices, shape, topology } = this;
      const canonical = JSON.stringify({ axes, devices, shape, topology: topology ?? null });
      this.#fingerprint = `sha256:${createHash("sha256").update(canonical).digest("hex")}`;
    }
    return this.#fingerprint;
  }

  /** One coordinate per axis. @throws E_MESH_RANK */
  coordinatesOf(rank: number): readonly number[] {
    return coordinatesIn(this.shape, this.#checked(rank));
  }

  /** @throws E_MESH_RANK */
  rankOf(coordinates: readonly number[]): number {
    const good =
      coordinates.length === this.shape.length &&
      coordinates.every((value, axis) => isIndex(value, this.shape[axis] ?? 1));
    if (!good) throw this.#noSuch(`coordinates (${coordinates.join(", ")})`);
    return coordinates.reduce((rank, value, axis) => rank + value * (this.#strides[axis] ?? 1), 0);
  }

  /** @throws E_MESH_RANK */
  deviceOf(rank: number): DeviceId {
    const device = this.devices[this.#checked(rank)];
    return device ?? 0;
  }

  /** The rank of a device, or undefined when it is not part of the mesh. */
  rankOfDevice(device: DeviceId): number | undefined {
    this.#rankOfDevice ??= new Map(this.devices.map((id, rank) => [id, rank]));
    return this.#rankOfDevice.get(device);
  }

  /**
   * The node a rank's device is on: its coordinate on the axis of nodes; without one, 8 (on NVL72
   * 4) consecutive devices make a node. A mesh made from another keeps the nodes of that one.
   *
   * @throws E_MESH_RANK
   */
  nodeOf(rank: number): number {
    return this.#nodes.get(this.deviceOf(rank)) ?? 0;
  }

  /** @throws E_MESH_AXIS */
  axisIndex(axis: string): number {
    return axisIndexIn(this.axes, axis);
  }

  /** @throws E_MESH_AXIS */
  axisSize(axis: string): number {
    return this.shape[this.axisIndex(axis)] ?? 1;
  }

  /**
   * The groups of ranks that differ only on these axes, each in the order of its coordinates on
   * them, the first named axis slowest: on 6 × 6 × 2, `groups("tp")` are 12 groups of 6.
   *
   * @throws E_MESH_AXIS, E_MESH_AXES (an axis named twice).
   */
  groups(axes: string | readonly string[]): readonly (readonly number[])[] {
    const along = this.#along(axes);
    const key = along.join(",");
    const groups = this.#groups.get(key) ?? groupsAlong(this.shape, along);
    this.#groups.set(key, groups);
    return groups;
  }

  /** The group of `groups(axes)` that a rank is in. @throws E_MESH_RANK, E_MESH_AXIS, E_MESH_AXES */
  groupOf(rank: number, axes: string | readonly string[]): readonly number[] {
    return groupContaining(this.shape, this.#along(axes), this.#checked(rank));
  }

  /**
   * The devices with these coordinates, on the axes that are left: `subMesh({ dp: 1 })`. With no
   * axis left, one axis of one device, called "device".
   *
   * @throws E_MESH_AXIS, E_MESH_RANK
   */
  subMesh(fixed: Readonly<Record<string, number>>): Mesh {
    const wanted = new Map<number, number>();
    for (const [axis, value] of Object.entries(fixed)) {
      if (!isIndex(value, this.axisSize(axis)))
        throw this.#noSuch(`coordinate ${value} on ${axis}`);
      wanted.set(this.axisIndex(axis), value);
    }
    const devices = this.devices.filter((_, rank) => {
      const coordinates = coordinatesIn(this.shape, rank);
      return [...wanted].every(([axis, value]) => coordinates[axis] === value);
    });
    const left = this.axes.filter((_, axis) => !wanted.has(axis));
    const shape = this.shape.filter((_, axis) => !wanted.has(axis));
    return left.length === 0
      ? this.#derive({ axes: ["device"], devices, shape: [1] })
      : this.#derive({ axes: left, devices, shape });
  }

  /**
   * The same devices with neighbouring axes made one: `flatten(["tp", "pp"], "mp")`.
   *
   * @throws E_MESH_FLATTEN when they do not follow each other, E_MESH_AXIS, E_MESH_AXES.
   */
  flatten(axes: readonly string[], name: string): Mesh {
    const indices = axes.map((axis) => this.axisIndex(axis));
    const first = indices[0];
    if (first === undefined || indices.some((index, position) => index !== first + position)) {
      const problem =
        axes.length === 0 ? "none is named" : "they do not follow each other in the mesh";
      const details = { flattened: showAxes(axes), problem, axes: showAxes(this.axes) };
      throw new TesseraError("E_MESH_FLATTEN", details);
    }
    const joined = <T>(all: readonly T[], one: T) => all.toSpliced(first, indices.length, one);
    const size = productOf(indices.map((index) => this.shape[index] ?? 1));
    const shape = joined(this.shape, size);
    return this.#derive({ axes: joined(this.axes, name), devices: this.devices, shape });
  }

  /**
   * The mesh that goes on without some devices, with the same axes.
   *
   * @throws E_MESH_DEVICES for a device that is not there or when none is left; E_MESH_AXIS.
   */
  without(devices: DeviceId | Iterable<DeviceId>, options: WithoutOptions = {}): Mesh {
    const gone = typeof devices === "number" || typeof devices === "string" ? [devices] : devices;
    const left = shrink(this, gone, options.along);
    const given = left.shape === undefined ? {} : { shape: left.shape };
    return this.#derive({ axes: this.axes, devices: left.devices, ...given });
  }

  /**
   * The same grid with the devices in another order: rank r gets the device that rank
   * `permutation[r]` has.
   *
   * @throws E_MESH_DEVICES unless the permutation names every rank once.
   */
  remap(permutation: readonly number[]): Mesh {
    const ranks = new Set(permutation);
    const whole = permutation.length === this.size && ranks.size === this.size;
    if (!whole || permutation.some((rank) => !isIndex(rank, this.size))) {
      throw badDevices(`the permutation does not name each rank from 0 to ${this.size - 1} once`);
    }
    const devices = permutation.map((rank) => this.deviceOf(rank));
    return this.#derive({ axes: this.axes, devices, shape: this.shape });
  }

  /** True when both have the same axes, sizes, devices in the same order, and topology. */
  equals(other: Mesh): boolean {
    return this === other || this.fingerprint === other.fingerprint;
  }

  /** One line: `tp × pp × dp mesh, 6 × 6 × 2, 72 devices (shape by rule: square first)`. */
  describe(): string {
    const devices = this.size === 1 ? "1 device" : `${this.size} devices`;
    const where = this.topology === undefined ? "" : ` on ${this.topology}`;
    const rule = ` (shape by rule: ${this.rule})`;
    return `${this.axes.join(" × ")} mesh, ${showShape(this.shape)}, ${devices}${where}${rule}`;
  }

  #derive(options: Omit<MeshOptions, "topology">): Mesh {
    const topology = this.topology === undefined ? {} : { topology: this.topology };
    return new Mesh({ ...options, ...topology }, { nodes: this.#nodes });
  }

  #along(axes: string | readonly string[]): readonly number[] {
    const names = typeof axes === "string" ? [axes] : axes;
    const along = names.map((name) => this.axisIndex(name));
    if (new Set(along).size === along.length) return along;
    throw new TesseraError("E_MESH_AXES", { axes: showAxes(names), problem: "one is there twice" });
  }

  #checked(rank: number): number {
    if (!isIndex(rank, this.size)) throw this.#noSuch(`rank ${rank}`);
    return rank;
  }

  #noSuch(what: string): TesseraError {
    const details = { shape: showShape(this.shape), what, rankMax: this.size - 1 };
    return new TesseraError("E_MESH_RANK", details);
  }
}

function defaultAxes(given: MeshOptions["shape"]): readonly string[] {
  return given === undefined || Array.isArray(given) ? ["device"] : Object.keys(given);
}

function isIndex(value: number, size: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < size;
}
