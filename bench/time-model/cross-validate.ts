import type { DomainModel } from "../../src/runtime/dist/time-model/domain.ts";
import { type Architecture, architectures, standIn } from "./architectures.ts";
import type { Curve } from "./curves.ts";
import { type CurveErrors, errorsOf, type Predict } from "./errors-of.ts";
import { interpolateTable } from "./interpolation.ts";

/** The errors on one curve, by what the model had seen. */
export interface Row {
  readonly curve: Curve;
  /** With all curves. */
  readonly fitted: CurveErrors;
  /** Without any curve of this group size. */
  readonly withoutSize: CurveErrors;
  /** Interpolating the table without this group size. */
  readonly interpolated: CurveErrors;
  /** Without any curve of this architecture; absent where none is like it. */
  readonly withoutArchitecture?: CurveErrors;
  /** Whether measured groups were smaller and larger than this one. */
  readonly isBetween: boolean;
}

// A model of boards says nothing about racks.
const boardDevices = 8;

/** Fits each architecture with everything, without each group size, and not at all. */
export function crossValidate(curves: readonly Curve[]): readonly Row[] {
  return architectures.flatMap((architecture) => rowsOf(architecture, curves));
}

function rowsOf(architecture: Architecture, curves: readonly Curve[]): readonly Row[] {
  const own = curves.filter((curve) => curve.architecture === architecture.name);
  const sizes = [...new Set(own.map(({ devices }) => devices))].toSorted((a, b) => a - b);
  const all = predictBy(architecture.model(own));
  const other = otherModel(architecture, curves);
  return sizes.flatMap((size, index) => {
    const rest = own.filter(({ devices }) => devices !== size);
    const without = predictBy(architecture.model(rest));
    const table = interpolateTable(rest);
    return own
      .filter(({ devices }) => devices === size)
      .map((curve) => ({
        curve,
        fitted: errorsOf(curve, all),
        withoutSize: errorsOf(curve, without),
        interpolated: errorsOf(curve, table),
        isBetween: index > 0 && index < sizes.length - 1,
        ...(other === undefined || size > boardDevices
          ? {}
          : { withoutArchitecture: errorsOf(curve, other) }),
      }));
  });
}

function otherModel(
  { stoodInBy, linkGBps }: Architecture,
  curves: readonly Curve[],
): Predict | undefined {
  const other = architectures.find(({ name }) => name === stoodInBy);
  if (other === undefined) return undefined;
  const model = other.model(curves.filter(({ architecture }) => architecture === other.name));
  return predictBy(standIn(model, other.linkGBps / linkGBps));
}

function predictBy(model: DomainModel): Predict {
  return ({ op }, { devices, bytes }) => model.timeOf({ op, devices, bytes }).timeUs;
}
