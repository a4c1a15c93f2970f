import type { SlurmClient } from "../../../platform/slurm/index.ts";
import { reasonUsersOf } from "./doors/whose-drain.ts";
import type { SlurmIdentity } from "./names.ts";

/**
 * Who we are in a cluster, of which a part is the controller's to tell: asked before the first look, and again when
 * the tools are of another release, which may show another name beside a reason.
 */
export class OwnIdentity {
  readonly #client: SlurmClient;
  #who: SlurmIdentity;
  /** The release that it was told with. */
  #toldWith: string | undefined;

  constructor(client: SlurmClient, who: Omit<SlurmIdentity, "reasonUsers">) {
    this.#client = client;
    // Until it is told whose reasons are ours as well, nobody's are.
    this.#who = { ...who, reasonUsers: [] };
  }

  get who(): SlurmIdentity {
    return this.#who;
  }

  async told(signal?: AbortSignal): Promise<SlurmIdentity> {
    const call = signal === undefined ? {} : { signal };
    // The client remembers it: this asks nobody while the tools stay the same.
    const { text } = await this.#client.release(call);
    if (text !== this.#toldWith) {
      this.#who = { ...this.#who, reasonUsers: await reasonUsersOf(this.#client, call) };
      this.#toldWith = text;
    }
    return this.#who;
  }
}
