import type { LoadedCheckpoint, LoadOptions } from "../options.ts";
import type { State } from "../state.ts";
import { stepWentBack } from "./order.ts";
import { restore } from "./restore.ts";

export interface LoadStateOptions extends LoadOptions {
  /**
   * Hears when an older checkpoint had to be taken than the one asked for.
   * @default a warning of the process, with the code TESSERA_CHECKPOINT_FALLBACK
   */
  readonly onFallback?: (loaded: LoadedCheckpoint) => void;
}

/**
 * The state of a checkpoint: `const { model, optimizer } = await load("step100", { root })`.
 *
 * @param tag @default the last committed one; when others have a higher step, a warning of the process
 *   says so, with the code TESSERA_CHECKPOINT_STEP_WENT_BACK
 * @throws as `restore`
 */
export async function load<S extends State = State>(
  tag?: string,
  options: LoadStateOptions = {},
): Promise<S> {
  const { onFallback = warn, ...rest } = options;
  const loaded = await restore<S>(tag, rest);
  if (loaded.refused.length > 0) onFallback(loaded);
  for (const note of loaded.notes) {
    if (!note.startsWith(stepWentBack)) continue;
    process.emitWarning(note, { code: "TESSERA_CHECKPOINT_STEP_WENT_BACK" });
  }
  return loaded.state;
}

function warn({ name, refused }: LoadedCheckpoint): void {
  const why = refused.map(({ name, problem, file }) => `${name} (${file}: ${problem})`).join("; ");
  process.emitWarning(`The checkpoint ${name} was loaded instead of ${why}.`, {
    code: "TESSERA_CHECKPOINT_FALLBACK",
  });
}
