import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import type { RankMembership } from "../rank-environment.ts";
import { parseAddress } from "../wire/address.ts";
import { openRendezvous, type Rendezvous } from "./rendezvous.ts";

/**
 * Opens the rendezvous of ranks that no launcher started: rank 0 does it, before it joins.
 *
 * @throws TesseraError E_RENDEZVOUS when it cannot listen there.
 */
export async function hostRendezvous(
  member: RankMembership,
  { clock }: { readonly clock: Clock },
): Promise<Rendezvous> {
  const { rendezvous, worldSize, secret, bind } = member;
  const address = parseAddress(rendezvous);
  const fail = (problem: string) => new TesseraError("E_RENDEZVOUS", { rendezvous, problem });
  if (address === undefined) throw fail("it is not host:port");
  const host = bind ?? address.host;
  try {
    return await openRendezvous({ worldSize, secret, clock, host, port: address.port });
  } catch (error) {
    throw fail(
      `rank 0 cannot listen on ${host}: ${messageOf(error)}; TESSERA_RENDEZVOUS_BIND names another address`,
    );
  }
}
