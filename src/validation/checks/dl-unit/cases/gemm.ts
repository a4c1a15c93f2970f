import type { DType, RandomSpec, Tensor } from "../../../../runtime/tensor/index.ts";
import type { DlEngine, EngineDType, EngineTensor } from "../engine/engine.ts";
import { type MatrixFormat, matrixFormats, storedFormat } from "../engine/formats.ts";
import { checkProductSample } from "../verify/check-product.ts";
import { leftFactor, rightFactor } from "../verify/expand.ts";
import { drawIntegerProduct } from "../verify/integer-product.ts";
import type { Problem } from "../verify/style.ts";
import { type Bench, type DlCase, scaled, sizeOf } from "./case.ts";
import { checkExactProduct } from "./check-exact.ts";
import { defineCase } from "./define-case.ts";
import { rateOf } from "./rate.ts";
import { sampleIndices } from "./sample.ts";

/** Rows, inner length and columns. */
export interface GemmSize {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

const square = (side: number): GemmSize => ({ m: side, k: side, n: side });

/** The sides of square products: what fills a GPU for a millisecond or more; f64 and f32 are slower. */
const sides: Readonly<Record<MatrixFormat, number>> = {
  f64: 4096,
  f32: 4096,
  tf32: 8192,
  f16: 8192,
  bf16: 8192,
  e4m3: 8192,
  e5m2: 8192,
  i8: 8192,
};

const rowsSampled = 4;
const columnsSampled = 4;

/** Square products in every format a device may have. */
export const gemmCases: readonly DlCase[] = matrixFormats.map((format) =>
  gemmCase(`gemm-${format}`, {
    title: `Square matrix product in ${format}`,
    format,
    size: (request) => {
      const { scale } = request;
      const side = sizeOf(
        {
          cuda: { quick: sides[format], standard: sides[format] },
          cpu: { quick: 256, standard: 512 },
        },
        request,
      );
      return square(scaled(side, scale));
    },
    figure: (engine) => figureName(format, engine),
  }),
);

/** Products far from square, as inference has them. */
export const skinnyCase: DlCase = gemmCase("gemm-skinny", {
  title: "Product of a matrix and one column",
  format: "bf16",
  size: (request) => {
    const [m, k] = sizeOf(
      {
        cuda: { quick: [16384, 5120], standard: [16384, 5120] },
        cpu: { quick: [1024, 320], standard: [4096, 1280] },
      },
      request,
    ) as readonly [number, number];
    return { m: scaled(m, request.scale), k: scaled(k, request.scale), n: 1 };
  },
});

/** The largest product, where the device has room and time. */
export const largeCase: DlCase = gemmCase("gemm-large", {
  title: "The largest matrix product, in bf16",
  format: "bf16",
  size: (request) => square(scaled(request.engine === "cuda" ? 16384 : 768, request.scale)),
});

function figureName(format: MatrixFormat, engine: "cuda" | "cpu"): string {
  const unit = rateOf(engine).name;
  const main = engine === "cuda" ? "bf16" : "f32";
  return format === main ? `gemm_${unit}` : `gemm_${format}_${unit}`;
}

function gemmCase(
  name: string,
  options: {
    readonly title: string;
    readonly format: MatrixFormat;
    readonly size: Parameters<typeof defineCase<GemmSize>>[0]["size"];
    readonly figure?: (engine: "cuda" | "cpu") => string;
  },
): DlCase {
  const { title, format, size } = options;
  return defineCase<GemmSize>({
    name,
    title,
    styles: format === "i8" ? ["exact", "repeat"] : ["exact", "repeat", "golden", "tolerance"],
    size,
    describe: ({ m, k, n }) => `${m}x${k}x${n}`,
    iterations: { cuda: 30, cpu: 5 },
    unsupported: (engine) => engine.unsupported(format),
    prepare: (bench, of) => prepareGemm(bench, { ...options, size: of }),
  });
}

function prepareGemm<T extends EngineTensor>(
  bench: Bench<T>,
  given: {
    readonly format: MatrixFormat;
    readonly size: GemmSize;
    readonly figure?: (engine: "cuda" | "cpu") => string;
  },
) {
  const { format, size } = given;
  const { engine, seed } = bench;
  const { product } = storedFormat(format);
  const exact = integerOperands(bench, given);
  const random = format === "i8" ? undefined : randomOperands(engine, { format, size, seed });
  const { m, k, n } = size;
  const rate = rateOf(engine.name);
  const timed = (of: DlEngine<T>) => (random ?? exact).multiply(of);
  return {
    compute: (of: DlEngine<T>): Readonly<Record<string, T>> => ({
      exact: exact.multiply(of),
      ...(random === undefined ? {} : { random: random.multiply(of) }),
    }),
    verify: (outputs: Readonly<Record<string, T>>) => [
      ...checkExactProduct(engine, {
        output: outputs["exact"],
        golden: exact.golden,
        product,
        seed,
      }),
      ...(random?.verify(outputs["random"]) ?? []),
    ],
    timed: () => void timed(engine),
    ...(given.figure === undefined
      ? {}
      : {
          figure: {
            name: given.figure(engine.name),
            unit: rate.unit,
            higherIsBetter: true,
            fromMs: (timeMs: number) => (2 * m * k * n) / (timeMs / 1000) / rate.perUnit,
          },
        }),
  };
}

function integerOperands<T extends EngineTensor>(
  { engine, seed }: Bench<T>,
  { format, size }: { readonly format: MatrixFormat; readonly size: GemmSize },
) {
  const { left, right, product, tf32 } = storedFormat(format);
  const { m, k, n } = size;
  const shape = { rows: m, inner: k, columns: n };
  const golden = drawIntegerProduct({ ...shape, productDType: product, seed: `${seed}/${format}` });
  const a = uploaded(engine, left, (dtype) => leftFactor(golden, m, dtype));
  const b = uploaded(engine, right, (dtype) => rightFactor(golden, n, dtype));
  const multiply = (of: DlEngine<T>) => of.matmul(a, b, { dtype: product, tf32 });
  return { golden, multiply };
}

/** i8 is uploaded from i32, which the host has. */
function uploaded<T extends EngineTensor>(
  engine: DlEngine<T>,
  dtype: EngineDType,
  make: (dtype: DType) => Tensor,
): T {
  return dtype === "i8" ? engine.upload(make("i32"), "i8") : engine.upload(make(dtype));
}

/** Random factors; the right one lies transposed, as the weights of a layer do. */
function randomOperands<T extends EngineTensor>(
  engine: DlEngine<T>,
  given: { readonly format: MatrixFormat; readonly size: GemmSize; readonly seed: string },
) {
  const { format, size, seed } = given;
  const { m, k, n } = size;
  const { left, right, product, tf32 } = storedFormat(format);
  const source = (stream: string, dtype: EngineDType) => {
    const spec: RandomSpec = { kind: "symmetric", seed, stream: `gemm ${stream}` };
    return { spec, dtype: dtype as DType };
  };
  const [a, b] = [source("a", left), source("b", right)];
  const onLeft = engine.random([m, k], a);
  const onRight = engine.random([n, k], b);
  return {
    multiply: (of: DlEngine<T>) =>
      of.matmul(onLeft, onRight, { dtype: product, tf32, transposeB: true }),
    verify: (output: T | undefined): readonly Problem[] => {
      if (output === undefined) return [];
      const rows = new Map(
        sampleIndices(m, rowsSampled, seed).map((row) => [
          row,
          engine.download(output, { start: row, count: 1 }),
        ]),
      );
      const columns = sampleIndices(n, columnsSampled, seed);
      return checkProductSample({ format, a, b, inner: k, rows, columns });
    },
  };
}
