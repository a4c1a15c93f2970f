import type { KernelSource } from "../device/device.ts";
import { type CudaDType, cudaTypeName } from "../tensor/cuda-dtype.ts";
import { numberFormats } from "./number-formats.ts";

/** Kernels of one text, which is compiled anew for each combination of number formats. */
export interface KernelFamily<Parameter extends string = never> {
  readonly name: string;
  readonly kernels: readonly string[];
  /** All of its CUDA C. */
  readonly text: string;
  /** The source for these formats and constants; the same object for the same ones. */
  source(
    formats: Readonly<Record<Parameter, CudaDType>>,
    constants?: Readonly<Record<string, number>>,
  ): KernelSource;
}

export interface FamilyText<Parameter extends string> {
  /** Short, for errors and the cache. */
  readonly name: string;
  /** After `number-formats`; formats are types of their parameter's name. */
  readonly code: string;
  readonly kernels: readonly string[];
  /** Names of the formats in the text. @default none */
  readonly parameters?: readonly Parameter[];
}

/** A family of kernels; `number-formats` is put before its text. */
export function kernelFamily<Parameter extends string = never>(
  text: FamilyText<Parameter>,
): KernelFamily<Parameter> {
  const { name, kernels, parameters = [] } = text;
  // The compiler's own headers use short names such as T: no macro may be called so.
  const types = parameters.map((parameter) => `typedef FORMAT_${parameter} ${parameter};\n`);
  const code = [numberFormats, ...types, text.code].join("");
  const made = new Map<string, KernelSource>();
  return {
    name,
    kernels,
    text: code,
    source: (formats, constants = {}) => {
      const chosen = parameters.map((parameter) => formats[parameter]);
      const key = [...chosen, ...Object.values(constants)].join("-");
      const known = made.get(key);
      if (known !== undefined) return known;
      const types = parameters.map((parameter) => [
        `FORMAT_${parameter}`,
        cudaTypeName(formats[parameter]),
      ]);
      const source: KernelSource = {
        name: key === "" ? name : `${name}-${key}`,
        code,
        kernels,
        defines: { ...Object.fromEntries(types), ...constants },
      };
      made.set(key, source);
      return source;
    },
  };
}
