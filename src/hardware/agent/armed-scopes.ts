import { z } from "zod";
import { isTesseraError } from "../../platform/errors/index.ts";
import { readTextFile, writeFileAtomic } from "../../platform/files/index.ts";

const armedSchema = z.record(z.string(), z.object({ fault: z.string(), untilMs: z.number() }));

/** Whose a control block is, and until when it is armed. */
export interface ArmedScope {
  readonly fault: string;
  readonly untilMs: number;
}

/**
 * Which fault each control block of the node is armed for. Kept on the disk: an agent that starts
 * again goes on with a block instead of arming it anew, which would count calls from the start.
 */
export class ArmedScopes {
  readonly #path: string;
  readonly #scopes: Map<string, ArmedScope>;

  private constructor(path: string, scopes: Map<string, ArmedScope>) {
    this.#path = path;
    this.#scopes = scopes;
  }

  /** A file that is missing or makes no sense counts as empty: blocks are then armed anew. */
  static async open(path: string): Promise<ArmedScopes> {
    return new ArmedScopes(path, new Map(Object.entries(await readArmed(path))));
  }

  get(scope: string): ArmedScope | undefined {
    return this.#scopes.get(scope);
  }

  get scopes(): readonly string[] {
    return [...this.#scopes.keys()];
  }

  async set(scope: string, armed: ArmedScope): Promise<void> {
    this.#scopes.set(scope, armed);
    await this.#save();
  }

  async forget(scope: string): Promise<void> {
    if (this.#scopes.delete(scope)) await this.#save();
  }

  #save(): Promise<void> {
    return writeFileAtomic(this.#path, JSON.stringify(Object.fromEntries(this.#scopes)), {
      mode: 0o600,
    });
  }
}

async function readArmed(path: string): Promise<z.output<typeof armedSchema>> {
  try {
    return armedSchema.parse(JSON.parse(await readTextFile(path)));
  } catch (error) {
    if (isTesseraError(error) || error instanceof SyntaxError || error instanceof z.ZodError) {
      return {};
    }
    throw error;
  }
}
