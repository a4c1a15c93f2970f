/**
 * The unit of an axis or a fact. `B`, `B/s`, `ms`, `s` and `%` are shown in sizes people read
 * (`4 KiB`, `1.5 min`); any other text stands behind the plain number; "" is a bare number.
 */
export type Unit = string;

/** How numbers of a unit are cut into steps and written. */
export type UnitFamily = "number" | "bytes" | "time";

export function familyOf(unit: Unit): UnitFamily {
  if (unit === "B" || unit === "B/s") return "bytes";
  return unit === "ms" || unit === "s" ? "time" : "number";
}

interface Step {
  /** What one of these is worth in the family's base unit (bytes, milliseconds, ones). */
  readonly worth: number;
  readonly symbol: string;
}

const byteSteps: readonly Step[] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].map(
  (symbol, index) => ({ worth: 1024 ** index, symbol }),
);

const timeSteps: readonly Step[] = [
  { worth: 1e-6, symbol: "ns" },
  { worth: 1e-3, symbol: "µs" },
  { worth: 1, symbol: "ms" },
  { worth: 1000, symbol: "s" },
  { worth: 60_000, symbol: "min" },
  { worth: 3_600_000, symbol: "h" },
  { worth: 86_400_000, symbol: "d" },
];

const plainStep: Step = { worth: 1, symbol: "" };

const numberSteps: readonly Step[] = [
  plainStep,
  { worth: 1e6, symbol: "M" },
  { worth: 1e9, symbol: "G" },
  { worth: 1e12, symbol: "T" },
];

const stepsOf: Readonly<Record<UnitFamily, readonly Step[]>> = {
  number: numberSteps,
  bytes: byteSteps,
  time: timeSteps,
};

export interface FormatShape {
  /** The largest number that will be written. */
  readonly largest: number;
  /** How far apart neighbours are. */
  readonly distance: number;
  /** The smallest difference that must show. @default distance */
  readonly resolution?: number;
}

const decimalsMax = 12;
const magnitudePlainMax = 1e15;
const magnitudePlainMin = 1e-6;

/**
 * Writes numbers of one unit alike, so that the labels of an axis can be compared: all in the step
 * that suits the largest, with the decimals the distance between neighbours asks for.
 */
export function formatterFor(unit: Unit, shape: FormatShape): (value: number) => string {
  const toBase = unit === "s" ? 1000 : 1;
  const largest = Math.abs(shape.largest) * toBase;
  const distance = Math.abs(shape.resolution ?? shape.distance) * toBase;
  // A quarter of an hour is 15 min, not 0.25 h: times are written in what their distance is made of.
  const fitting = familyOf(unit) === "time" ? Math.abs(shape.distance) * toBase : largest;
  const step = stepFor(familyOf(unit), fitting);
  const suffix = suffixOf(unit, step);
  return (value) => {
    const scaled = (value * toBase) / step.worth;
    return `${formatScaled(scaled, { largest: largest / step.worth, distance: distance / step.worth })}${suffix}`;
  };
}

/** One number of a unit by itself, with three significant digits or all of its integer part. */
export function formatQuantity(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return "–";
  const magnitude = Math.abs(value);
  const resolution = resolutionOf(value);
  const whole = unit === "" && Number.isInteger(value) && magnitude < magnitudePlainMax;
  if (whole) return groupDigits(String(value));
  return trimZeros(
    formatterFor(unit, { largest: magnitude, distance: magnitude, resolution })(value),
  );
}

/** A number of things in words: `1 value`, `2,000 values`. */
export function counted(count: number, thing: string): string {
  return `${formatQuantity(count, "")} ${thing}${count === 1 ? "" : "s"}`;
}

/** The last of three significant digits. */
function resolutionOf(value: number): number {
  const magnitude = Math.abs(value);
  return magnitude === 0 ? 1 : 10 ** (Math.floor(Math.log10(magnitude)) - 2);
}

/** Numbers beside an axis: in the step of its ticks, each with three significant digits. */
export function formatBeside(unit: Unit, axis: FormatShape): (value: number) => string {
  return (value) =>
    trimZeros(formatterFor(unit, { ...axis, resolution: resolutionOf(value) })(value));
}

function stepFor(family: UnitFamily, largest: number): Step {
  const steps = stepsOf[family];
  if (family === "number" && largest >= magnitudePlainMax) return plainStep;
  const fitting = steps.filter((step) => step.worth <= largest * (1 + 1e-9)).at(-1);
  const smallest = steps[0];
  if (fitting !== undefined) return fitting;
  // Zero, or less than the smallest step: bytes and numbers stay plain, time reads best in ms.
  return (family === "time" && largest === 0 ? steps[2] : smallest) ?? plainStep;
}

function suffixOf(unit: Unit, step: Step): string {
  if (familyOf(unit) === "bytes") return ` ${step.symbol}${unit === "B/s" ? "/s" : ""}`;
  if (familyOf(unit) === "time") return ` ${step.symbol}`;
  if (unit === "%") return `${step.symbol}%`;
  return step.symbol + (unit === "" ? "" : ` ${unit}`);
}

function formatScaled(
  value: number,
  shape: { readonly largest: number; readonly distance: number },
): string {
  const tooLarge = shape.largest >= magnitudePlainMax;
  const tooFine = shape.distance > 0 && shape.distance < 10 ** -(decimalsMax - 2);
  const tooSmall = tooFine || (shape.largest > 0 && shape.largest < magnitudePlainMin);
  if (value !== 0 && (tooLarge || tooSmall)) return shortExponent(value, shape.distance);
  return groupDigits(value.toFixed(decimalsFor(shape.distance)));
}

function decimalsFor(distance: number): number {
  if (!(distance > 0)) return 0;
  // 0.25 needs two decimals although its exponent says one: step by a tenth only when it fits.
  for (let decimals = 0; decimals < decimalsMax; decimals++) {
    const scaled = distance * 10 ** decimals;
    const whole = Math.round(scaled);
    if (whole >= 1 && Math.abs(scaled - whole) < 1e-6 * scaled) return decimals;
    if (scaled >= 100) return decimals;
  }
  return decimalsMax;
}

function shortExponent(value: number, distance: number): string {
  const digits = distance > 0 ? Math.ceil(Math.log10(Math.abs(value) / distance)) : 3;
  return value
    .toExponential(Math.min(Math.max(digits, 0), decimalsMax))
    .replace(/\.?0+e/, "e")
    .replace("e+", "e");
}

/** Thousands apart, so that 1000000 and 100000 cannot be mistaken: 1,000,000. */
function groupDigits(text: string): string {
  const [whole = "", fraction] = text.replace(/^-(?=0(?:\.0*)?$)/, "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return (fraction === undefined ? grouped : `${grouped}.${fraction}`).replace("-", "−");
}

function trimZeros(text: string): string {
  return text.replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
}
