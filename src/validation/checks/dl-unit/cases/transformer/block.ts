import type {
  AttentionForward,
  AttentionOperands,
  DlEngine,
  EngineTensor,
} from "../../engine/engine.ts";
import type { ModelSize, Parameters } from "./parameters.ts";

/** Gradients of parameters, by name. */
export type Gradients<T> = Record<string, T>;

/** What a block's forward pass keeps for its backward pass. */
export interface SavedBlock<T> {
  readonly input: T;
  readonly normed1: T;
  readonly operands: AttentionOperands<T>;
  readonly seen: AttentionForward<T>;
  readonly attended: T;
  readonly middle: T;
  readonly normed2: T;
  readonly sums: T;
  readonly active: T;
}

interface BlockContext<T extends EngineTensor> {
  readonly engine: DlEngine<T>;
  readonly size: ModelSize;
  readonly parameters: Parameters<T>;
  readonly block: number;
}

/** x + attention(norm(x)), then that + perceptron(norm(that)); rows are tokens. */
export function blockForward<T extends EngineTensor>(
  context: BlockContext<T>,
  input: T,
): { readonly output: T; readonly saved: SavedBlock<T> } {
  const { engine, size } = context;
  const { batch, heads } = size;
  const weight = weightsOf(context);
  const normed1 = engine.norm("rms", input, weight("norm1"));
  const ofHeads = (name: string) =>
    engine.splitHeads(engine.matmul(normed1, weight(name)), { batch, heads });
  const operands = { q: ofHeads("queries"), k: ofHeads("keys"), v: ofHeads("values") };
  const seen = engine.attention(operands);
  const attended = engine.joinHeads(seen.output);
  const middle = engine.add(input, engine.matmul(attended, weight("projection")));
  const normed2 = engine.norm("rms", middle, weight("norm2"));
  const sums = engine.matmul(normed2, weight("up"));
  const active = engine.activation("gelu", sums);
  const output = engine.add(middle, engine.matmul(active, weight("down")));
  const saved = { input, normed1, operands, seen, attended, middle, normed2, sums, active };
  return { output, saved };
}

/** The gradient of the block's input; those of its parameters are put into `gradients`. */
export function blockBackward<T extends EngineTensor>(
  context: BlockContext<T>,
  given: { readonly saved: SavedBlock<T>; readonly gradient: T; readonly gradients: Gradients<T> },
): T {
  const { engine, block } = context;
  const { saved, gradient, gradients } = given;
  const weight = weightsOf(context);
  const note = (name: string, value: T) => {
    gradients[`${block}.${name}`] = value;
  };
  note("down", engine.matmul(saved.active, gradient, { transposeA: true }));
  const ofActive = engine.matmul(gradient, weight("down"), { transposeB: true });
  const ofSums = engine.activationBackward("gelu", ofActive, saved.sums);
  note("up", engine.matmul(saved.normed2, ofSums, { transposeA: true }));
  const ofNormed2 = engine.matmul(ofSums, weight("up"), { transposeB: true });
  const norm2 = { gradient: ofNormed2, x: saved.middle, gain: weight("norm2") };
  const back2 = engine.normBackward("rms", norm2);
  note("norm2", back2.gain);
  const ofMiddle = engine.add(gradient, back2.input);
  return attentionBackward(context, { saved, gradient: ofMiddle, note });
}

function attentionBackward<T extends EngineTensor>(
  context: BlockContext<T>,
  given: {
    readonly saved: SavedBlock<T>;
    readonly gradient: T;
    readonly note: (name: string, value: T) => void;
  },
): T {
  const { engine, size } = context;
  const { batch, heads } = size;
  const { saved, gradient, note } = given;
  const weight = weightsOf(context);
  note("projection", engine.matmul(saved.attended, gradient, { transposeA: true }));
  const ofAttended = engine.matmul(gradient, weight("projection"), { transposeB: true });
  const ofSeen = engine.splitHeads(ofAttended, { batch, heads });
  const back = engine.attentionBackward(ofSeen, saved.operands, saved.seen);
  const parts = { queries: back.q, keys: back.k, values: back.v };
  let ofNormed1: T | undefined;
  for (const [name, part] of Object.entries(parts)) {
    const joined = engine.joinHeads(part);
    note(name, engine.matmul(saved.normed1, joined, { transposeA: true }));
    const own = engine.matmul(joined, weight(name), { transposeB: true });
    ofNormed1 = ofNormed1 === undefined ? own : engine.add(ofNormed1, own);
  }
  const norm1 = { gradient: ofNormed1 ?? gradient, x: saved.input, gain: weight("norm1") };
  const back1 = engine.normBackward("rms", norm1);
  note("norm1", back1.gain);
  return engine.add(gradient, back1.input);
}

function weightsOf<T extends EngineTensor>({ parameters, block }: BlockContext<T>) {
  return (name: string): T => named(parameters, `${block}.${name}`);
}

/** The values of a parameter. */
export function named<T>(parameters: Parameters<T>, name: string): T {
  const found = parameters[name];
  if (found === undefined) throw new Error(`the model has no parameter ${name}`);
  return found.values;
}
