import type { SlurmClient } from "../../../platform/slurm/index.ts";
import { reasonUsersOf } from "./doors/whose-drain.ts";
import type { SlurmIdentity } from "./names.ts";

/** Who we are in a cluster, of which a part is the controller's to tell: asked once, before the first look. */
export class OwnIdentity {
  readonly #client: SlurmClient;
  #who: SlurmIdentity;
  #isTold = false;

  constructor(client: SlurmClient, who: Omit<SlurmIdentity, "reasonUsers">) {
    this.#client = client;
    // Until it is told whose reasons are ours as well, nobody's are.
    this.#who = { ...who, reasonUsers: [] };
  }

  get who(): SlurmIdentity {
    return this.#who;
  }

  async told(signal?: AbortSignal): Promise<SlurmIdentity> {
    if (!this.#isTold) {
      const call = signal === undefined ? {} : { signal };
      this.#who = { ...this.#who, reasonUsers: await reasonUsersOf(this.#client, call) };
      this.#isTold = true;
    }
    return this.#who;
  }
}
