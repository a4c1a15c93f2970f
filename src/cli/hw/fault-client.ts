import type { FaultClient } from "../../hardware/client/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import { textOption } from "../actor.ts";
import type { Invocation } from "../invocation.ts";

/** A client whose forwarded port goes with its scope. */
export type OpenedFaultClient = FaultClient & AsyncDisposable;

/**
 * The fault API of this command line: `--api-url`, or a port that kubectl forwards. The token is
 * `TESSERA_FAULT_API_TOKEN`, or the one of the kubeconfig.
 *
 * @throws TesseraError E_HW_API_UNREACHABLE; E_HW_REFUSED without a token
 */
export async function openFaultClient(invocation: Invocation): Promise<OpenedFaultClient> {
  const { clock, options, io } = invocation;
  const { createFaultClient, openPortForward } = await import("../../hardware/client/index.ts");
  const given = io.env["TESSERA_FAULT_API_TOKEN"];
  const token = given === undefined || given === "" ? () => tokenOfKubeconfig(invocation) : given;
  const url = textOption(options, "apiUrl");
  if (url !== undefined) {
    const client = createFaultClient({ url: urlOf(url), token, clock });
    return { ...client, [Symbol.asyncDispose]: async () => {} };
  }
  const { kubeconfig, context } = (await invocation.config()).values.kubernetes;
  const namespace = textOption(options, "apiNamespace");
  // Ended with the scope and not with the signal: what was done is taken back through it.
  const forward = await openPortForward({
    clock,
    ...(namespace === undefined ? {} : { namespace }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  const client = createFaultClient({ url: forward.address, token, clock });
  return { ...client, [Symbol.asyncDispose]: () => forward[Symbol.asyncDispose]() };
}

function urlOf(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new TesseraError("E_USAGE", { problem: `\`--api-url ${text}\` is no URL`, command: "hw" });
}

async function tokenOfKubeconfig({ config, io, clock }: Invocation): Promise<string> {
  const { loadKubeConfig } = await import("../../platform/kube/index.ts");
  const { kubeconfig: path, context, namespace } = (await config()).values.kubernetes;
  const kube = await loadKubeConfig({ path, context, namespace, env: io.env, clock });
  const { authorization = "" } = await kube.credentials.get();
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new TesseraError(
    "E_HW_REFUSED",
    { what: "Calling the fault API", problem: "the kubeconfig has a certificate and no token" },
    {
      hint: "Put a token into TESSERA_FAULT_API_TOKEN: `kubectl create token NAME` makes one for a service account.",
    },
  );
}
