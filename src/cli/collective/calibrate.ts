import { stringify } from "yaml";
import { TesseraError } from "../../platform/errors/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { fitOwn, type OwnFit } from "../../runtime/dist/time-model/calibrate/fit-own.ts";
import { busFactor } from "../../runtime/dist/time-model/limits.ts";
import { tableOf } from "../text-table.ts";
import type { SavedMeasurement } from "./saved.ts";

/** A topology fitted to a machine, as its file has it, and how well it fits. */
export interface OwnCalibration {
  readonly topology: Readonly<Record<string, unknown>>;
  readonly fits: readonly OwnFit[];
}

interface Named {
  readonly name: string;
  readonly saved: SavedMeasurement;
}

const devicesMin = 2;

/**
 * Fits the model to measurements.
 *
 * @throws TesseraError E_MEASUREMENT for a file of one rank, or when a collective has fewer than two
 * different sizes.
 */
export function calibrate(
  files: readonly Named[],
  about: { readonly name: string; readonly like: string },
): OwnCalibration {
  const alone = files.find(({ saved }) => saved.ranks < devicesMin);
  if (alone !== undefined) throw unusable(alone.name, "one rank moves nothing");
  const points = files.flatMap(({ saved }) =>
    saved.points.map(({ bytes, timeUs }) => {
      return { op: saved.op, devices: saved.ranks, bytes, timeUs };
    }),
  );
  for (const { name, saved } of files) {
    const own = points.filter(({ op }) => op === saved.op);
    const sizes = new Set(own.map(({ bytes }) => bytes));
    if (sizes.size < 2 && saved.op !== "barrier") {
      throw unusable(name, `${saved.op} was measured with one size, and a line needs two points`);
    }
  }
  const fits = fitOwn(points);
  const rates = points.map(
    ({ op, devices, bytes, timeUs }) => (bytes / timeUs / 1e3) * busFactor(op, devices),
  );
  const domainGpus = Math.max(...points.map(({ devices }) => devices));
  return {
    topology: {
      ...about,
      title: `${about.name}, as measured over ${transportsOf(files)}`,
      domainGpus,
      gpusPerNode: domainGpus,
      // What the links were seen to carry; no fit may promise more.
      linkGBps: Number(Math.max(1e-6, ...rates).toPrecision(5)),
      reducesInSwitch: false,
      measured: Object.fromEntries(
        fits.map(({ op, weights, devices, bytes }) => [op, { weights, devices, bytes }]),
      ),
    },
    fits,
  };
}

/** The file that `--topology` takes. */
export function topologyText({ topology, fits }: OwnCalibration): string {
  const errors = fits.map(
    ({ op, points, errorMean }) => `# ${op}: ${points} points, mean error ${percent(errorMean)}`,
  );
  const head = ["# Made by `tessera collective calibrate` from measured times.", ...errors];
  return `${head.join("\n")}\n${stringify(topology, { aliasDuplicateObjects: false })}`;
}

/** How well each collective is fitted, for people. */
export function calibrationTable({ fits }: OwnCalibration): readonly string[] {
  return tableOf([
    ["COLLECTIVE", "RANKS", "SIZES", "POINTS", "MEAN ERROR", "LARGEST"],
    ...fits.map(({ op, devices, bytes, points, errorMean, errorMax }) => [
      op,
      devices.min === devices.max ? String(devices.min) : `${devices.min}-${devices.max}`,
      `${formatBytes(bytes.min)}..${formatBytes(bytes.max)}`,
      String(points),
      percent(errorMean),
      percent(errorMax),
    ]),
  ]);
}

function transportsOf(files: readonly Named[]): string {
  return [...new Set(files.map(({ saved }) => saved.transport))].toSorted().join(" and ");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function unusable(file: string, problem: string): TesseraError {
  return new TesseraError("E_MEASUREMENT", { file, problem });
}
