import type { GuardSettings } from "../../settings.ts";
import type { Refusal } from "./refusal.ts";
import { runsOf, short } from "./words.ts";

/** What a run takes up while it is open, and what it is charged with. */
export interface Load {
  /** Empty when not told: then there is nothing to count together. */
  readonly rack: string;
  /** Empty when the check loads none. */
  readonly fileSystem: string;
  readonly gpuHours: number;
}

// Sums of many thirds of an hour must still fill a budget of whole hours.
const roundingGpuHours = 1e-9;

/** How much room the limits leave: overall, per rack, per file system, and of the day's GPU-hours. */
export class Room {
  readonly #guard: GuardSettings;
  readonly #byRack = new Map<string, number>();
  readonly #byFileSystem = new Map<string, number>();
  #inFlight = 0;
  #gpuHoursToday: number;

  /** @param open the runs that are open; what they cost is part of `gpuHoursToday` already. */
  constructor(guard: GuardSettings, open: readonly Load[], gpuHoursToday: number) {
    this.#guard = guard;
    this.#gpuHoursToday = gpuHoursToday;
    for (const load of open) this.#occupy(load);
  }

  get slots(): number {
    return Math.max(0, this.#guard.inFlightMax - this.#inFlight);
  }

  get gpuHoursToday(): number {
    return this.#gpuHoursToday;
  }

  /** Why there is no room for a run; undefined when there is. */
  refuse(load: Load): Refusal | undefined {
    return (
      this.limitRail() ??
      this.#budgetRail(load) ??
      this.#rackRail(load) ??
      this.#fileSystemRail(load)
    );
  }

  /** Books a run that is begun. */
  take(load: Load): void {
    this.#occupy(load);
    this.#gpuHoursToday += load.gpuHours;
  }

  /** The limit on all runs at once. */
  limitRail(): Refusal | undefined {
    if (this.slots > 0) return undefined;
    const { inFlightMax } = this.#guard;
    const inFlight = this.#inFlight;
    return {
      rail: "limit",
      reason: () => `${runsOf(inFlight)} in flight, and ${inFlightMax} may be at once`,
    };
  }

  #budgetRail({ gpuHours }: Load): Refusal | undefined {
    const { gpuHoursPerDay } = this.#guard;
    const used = this.#gpuHoursToday;
    if (used + gpuHours <= gpuHoursPerDay + roundingGpuHours) return undefined;
    const reason = () =>
      `${short(gpuHours)} GPU-hours do not fit: ${short(used)} of today's ${short(gpuHoursPerDay)} are used`;
    return { rail: "budget", reason };
  }

  #rackRail({ rack }: Load): Refusal | undefined {
    const { perRackMax } = this.#guard;
    const there = this.#byRack.get(rack) ?? 0;
    if (rack === "" || there < perRackMax) return undefined;
    const reason = () => `${runsOf(there)} in rack ${rack}, and ${perRackMax} may be at once`;
    return { rail: "rack", reason };
  }

  #fileSystemRail({ fileSystem }: Load): Refusal | undefined {
    const { perFileSystemMax } = this.#guard;
    const there = this.#byFileSystem.get(fileSystem) ?? 0;
    if (fileSystem === "" || there < perFileSystemMax) return undefined;
    const reason = () =>
      `${runsOf(there)} on file system ${fileSystem}, and ${perFileSystemMax} may be at once`;
    return { rail: "file-system", reason };
  }

  #occupy({ rack, fileSystem }: Load): void {
    this.#inFlight++;
    this.#byRack.set(rack, (this.#byRack.get(rack) ?? 0) + 1);
    this.#byFileSystem.set(fileSystem, (this.#byFileSystem.get(fileSystem) ?? 0) + 1);
  }
}
