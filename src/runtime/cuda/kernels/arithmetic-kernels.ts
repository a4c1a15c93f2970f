import { elementwiseText } from "./elementwise-text.ts";
import { kernelFamily } from "./family.ts";

/** Arithmetic of all formats, with the bits of the host. Integers stop at the ends of their range. */
export const arithmeticKernels = kernelFamily({
  name: "arithmetic",
  parameters: ["T"],
  kernels: ["add", "sub", "mul", "neg"].flatMap((name) =>
    name === "neg" ? [name] : [name, `${name}_strided`],
  ),
  code: `${elementwiseText}
BINARY(add, x + y)
BINARY(sub, x - y)
BINARY(mul, x * y)
UNARY(neg, -x)
`,
});
