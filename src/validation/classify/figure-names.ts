const ofGpu = /^(?<base>.+)\.gpu(?<gpu>\d{1,4})$/;

/** What the name of a figure says. */
export interface FigureName {
  /** The name without its GPU: `busbw` for `busbw.gpu3`. */
  readonly base: string;
  /** Which GPU, for a figure of one. */
  readonly gpu: number | undefined;
  /** The same for all GPUs; a plain figure and one by GPU of the same name are two figures. */
  readonly family: string;
}

/** The figure a name belongs to, and the GPU if it is of one. */
export function splitName(name: string): FigureName {
  const groups = ofGpu.exec(name)?.groups;
  if (groups === undefined) return { base: name, gpu: undefined, family: name };
  const { base = name, gpu } = groups;
  return { base, gpu: Number(gpu), family: `${base}.gpu*` };
}

/** What names say, each looked at once: thousands of runs have the same few. */
export class FigureNames {
  readonly #known = new Map<string, FigureName>();

  of(name: string): FigureName {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const split = splitName(name);
    this.#known.set(name, split);
    return split;
  }
}
