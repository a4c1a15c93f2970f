import { allocateRaw, bitsOf } from "../../../../runtime/tensor/dtype/index.ts";
import { Tensor } from "../../../../runtime/tensor/index.ts";
import { hostActivations } from "../engine/cpu/host-activations.ts";
import type { ActivationKind, DlEngine } from "../engine/engine.ts";
import type { Problem } from "../verify/style.ts";
import { isNear, toleranceOf } from "../verify/tolerance.ts";
import { type DlCase, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";

const patterns = 65_536;
const kinds: readonly ActivationKind[] = ["gelu", "silu", "relu"];

/** Activations of every number that f16 has, Inf and NaN among them. */
export const activationCase: DlCase = defineCase<{ readonly repeats: number }>({
  name: "activations",
  title: "GELU, SiLU and ReLU of every f16 number",
  styles: ["repeat", "golden", "tolerance"],
  size: (request) => ({
    repeats: Math.max(
      1,
      Math.round(
        request.scale *
          sizeOf({ cuda: { quick: 64, standard: 1024 }, cpu: { quick: 1, standard: 2 } }, request),
      ),
    ),
  }),
  describe: ({ repeats }) => `${repeats}x${patterns} f16`,
  iterations: { cuda: 1, cpu: 1 },
  prepare: ({ engine }, { repeats }) => {
    const x = engine.upload(everyNumber(repeats));
    return {
      compute: (of: DlEngine<typeof x>) =>
        Object.fromEntries(kinds.map((kind) => [kind, of.activation(kind, x)])),
      verify: (outputs) => {
        const inputs = everyNumber(1);
        return kinds.flatMap((kind) => {
          const output = outputs[kind];
          if (output === undefined) return [];
          const last = engine.download(output, { start: repeats - 1, count: 1 });
          return checkTable(kind, { inputs, found: last });
        });
      },
    };
  },
});

/** [repeats, 65536]: in each row all bit patterns of f16 in order. */
function everyNumber(repeats: number): Tensor {
  const raw = allocateRaw("f16", repeats * patterns);
  const bits = bitsOf(raw);
  for (let at = 0; at < bits.length; at++) bits[at] = at % patterns;
  return Tensor.over(raw, { dtype: "f16", shape: [repeats, patterns] });
}

function checkTable(
  kind: ActivationKind,
  { inputs, found }: { readonly inputs: Tensor; readonly found: Tensor },
): readonly Problem[] {
  const expected = hostActivations[kind].forward(inputs).toNumbers();
  const values = found.toNumbers();
  const { relative } = toleranceOf("f16");
  // The smallest number above 0: results near it have no digits to be relative to.
  const tolerance = { relative, absolute: 2 ** -24 };
  const wrong = values.findIndex((value, at) => {
    const right = expected[at] ?? Number.NaN;
    if (Number.isNaN(right) || !Number.isFinite(right)) return !Object.is(value, right);
    return !isNear(value, right, tolerance);
  });
  if (wrong < 0) return [];
  const pattern = `0x${wrong.toString(16).padStart(4, "0")}`;
  const text = `${kind} of the f16 number ${pattern} is ${values[wrong]}, and ${expected[wrong]} in f64`;
  return [{ style: "tolerance", text }];
}
