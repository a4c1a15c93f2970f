import { TesseraError } from "../../../platform/errors/index.ts";

/** What a device is called: its number, or a text such as `"GPU3"` or `"MIG:0:1"`. */
export type DeviceId = number | string;

/** Device ids in lists of equal length, one level per mesh axis. */
export type NestedDevices = readonly (DeviceId | NestedDevices)[];

/** More devices than this in one mesh are taken for a mistake. */
const devicesMax = 1_048_576;
const depthMax = 8;

/** The devices of a mesh, in rank order. */
export interface DeviceList {
  readonly ids: readonly DeviceId[];
  /** The lengths of the lists, outermost first; one entry for a flat list. */
  readonly nesting: readonly number[];
}

/**
 * Reads the devices of a mesh: a number n stands for the ids 0 to n - 1.
 *
 * @throws E_MESH_DEVICES for none, too many, ids that repeat or are no ids, and ragged lists.
 */
export function readDevices(devices: number | NestedDevices): DeviceList {
  if (typeof devices === "number") {
    if (!Number.isInteger(devices) || devices < 1) {
      throw badDevices(`${devices} is no number of devices`);
    }
    refuseTooMany(devices);
    return { ids: Array.from({ length: devices }, (_, id) => id), nesting: [devices] };
  }
  const nesting = nestingOf(devices);
  refuseTooMany(nesting.reduce((product, length) => product * length, 1));
  const ids: DeviceId[] = [];
  collect(devices, nesting, 0, ids);
  refuseBadIds(ids);
  return { ids, nesting };
}

/** Follows the first element down; `collect` then checks that the others are like it. */
function nestingOf(devices: NestedDevices): number[] {
  const nesting: number[] = [];
  let level: DeviceId | NestedDevices | undefined = devices;
  while (isList(level)) {
    if (level.length === 0) throw badDevices("the list is empty");
    if (nesting.length === depthMax) throw badDevices(`the lists nest deeper than ${depthMax}`);
    nesting.push(level.length);
    level = level[0];
  }
  return nesting;
}

function collect(
  level: NestedDevices,
  nesting: readonly number[],
  depth: number,
  ids: DeviceId[],
): void {
  if (level.length !== nesting[depth]) {
    throw badDevices("the nested lists differ in length, so they have no shape");
  }
  const innermost = depth === nesting.length - 1;
  for (const item of level) {
    if (isList(item) === innermost) throw badDevices("the lists do not all nest equally deep");
    if (isList(item)) collect(item, nesting, depth + 1, ids);
    else ids.push(item);
  }
}

function refuseBadIds(ids: readonly DeviceId[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    const good = typeof id === "number" ? Number.isSafeInteger(id) && id >= 0 : isName(id);
    if (!good) throw badDevices(`${JSON.stringify(id) ?? String(id)} is no device id`);
    // 5 and "5" would look the same in every report.
    if (seen.has(String(id))) throw badDevices(`device ${id} is there twice`);
    seen.add(String(id));
  }
}

function isName(id: unknown): boolean {
  return typeof id === "string" && id.trim() !== "";
}

function isList(value: DeviceId | NestedDevices | undefined): value is NestedDevices {
  return Array.isArray(value);
}

function refuseTooMany(count: number): void {
  if (count > devicesMax) {
    throw badDevices(`${count} are more than the ${devicesMax} that a mesh may have`);
  }
}

/** The error for devices a mesh cannot have. */
export function badDevices(problem: string): TesseraError {
  return new TesseraError("E_MESH_DEVICES", { problem });
}
