import type { CudaDevice } from "../../cuda/device/device.ts";
import type { CudaDType } from "../../cuda/tensor/index.ts";

/** How a format is multiplied. */
interface FormatSpec {
  readonly dtype: CudaDType;
  readonly outDtype: CudaDType;
  readonly tf32: boolean;
  /** Whether `b` lies along k, which fp8 products ask for. */
  readonly transposeB: boolean;
  /** Rows and columns that keep an H200 busy for a millisecond or a few. */
  readonly side: number;
  /** The first compute capability whose tensor cores have it, times 10. */
  readonly since: number;
}

const plain = { tf32: false, transposeB: false, since: 80 };

const specs = {
  bf16: { ...plain, dtype: "bf16", outDtype: "bf16", side: 8192 },
  f16: { ...plain, dtype: "f16", outDtype: "f16", side: 8192 },
  fp8: { ...plain, dtype: "e4m3", outDtype: "bf16", transposeB: true, side: 8192, since: 89 },
  tf32: { ...plain, dtype: "f32", outDtype: "f32", tf32: true, side: 8192 },
  f32: { ...plain, dtype: "f32", outDtype: "f32", side: 4096 },
  f64: { ...plain, dtype: "f64", outDtype: "f64", side: 4096 },
} as const satisfies Record<string, FormatSpec>;

/** A number format in which products are made. */
export type CudaFormat = keyof typeof specs;

export const cudaFormats = Object.keys(specs) as readonly CudaFormat[];

export function formatSpec(format: CudaFormat): FormatSpec {
  return specs[format];
}

/** The formats that this GPU's tensor cores have. */
export function formatsOn({ properties }: CudaDevice): readonly CudaFormat[] {
  const { major, minor } = properties.computeCapability;
  return cudaFormats.filter((format) => 10 * major + minor >= specs[format].since);
}
