import { once } from "node:events";
import { startFaultApi } from "../../hardware/api/index.ts";
import { type GuardLimits, guardLimitsSchema } from "../../hardware/guard/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { createRng, randomSeed } from "../../platform/rng/index.ts";
import { openStore } from "../../platform/store/index.ts";
import { textOption } from "../actor.ts";
import { integerFlag, secondsFlag } from "../hw/flags.ts";
import type { Action, Invocation } from "../invocation.ts";
import { openKube } from "../open-kube.ts";
import { writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const command = "fault-api";
const portDefault = 8080;
/** Many faults end at the same time when a big test does. */
const socketsMax = 32;

/** `tessera fault-api`: serves until it is told to stop, which is how it is meant to end. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, signal, options } = invocation;
  const limits = readLimits(options);
  const port = integerFlag(command, options, {
    name: "port",
    shown: "--port",
    min: 0,
    max: 65_535,
  });
  const [{ values }, log] = await Promise.all([invocation.config(), invocation.log()]);
  const tell = (event: object, sentence: string) =>
    writeLine(io.stdout, globals.json === true ? JSON.stringify(event) : sentence);
  const { client } = await openKube(invocation, { socketsMax });
  try {
    const store = await openStore({ url: values.store.url, clock, log });
    try {
      const audiences = listOption(options, "audience");
      const api = await startFaultApi({
        client,
        clock,
        log,
        store,
        limits,
        rng: createRng(randomSeed()),
        namespace: textOption(options, "namespace") ?? "tessera-hardware",
        port: port ?? portDefault,
        ...textAs("host", textOption(options, "host")),
        ...textAs("nvSentinelNamespace", textOption(options, "nvsentinelNamespace")),
        ...(audiences.length === 0 ? {} : { audiences }),
      });
      tell({ event: "ready", url: api.url }, `the fault API is ready at ${api.url}`);
      if (!signal.aborted) await once(signal, "abort");
      await api.stop();
    } finally {
      await store.close();
    }
  } finally {
    client.close();
  }
  tell({ event: "stopped" }, "the fault API stopped; faults in force end with their leases");
  return exitCodes.good;
};

/** How far faults may go. @throws E_USAGE */
function readLimits(options: Invocation["options"]): GuardLimits {
  const nodesMax = integerFlag(command, options, {
    name: "maxNodes",
    shown: "--max-nodes",
    min: 1,
    max: 10_000,
  });
  const percent = textOption(options, "maxPercent");
  const percentMax = percent === undefined ? undefined : Number(percent);
  if (percentMax !== undefined && !(percentMax > 0 && percentMax <= 100)) {
    throw usageError(command, `\`--max-percent ${percent}\` is not above 0 and up to 100`);
  }
  const cooldownSeconds = secondsFlag(command, options, "cooldown", 0);
  return guardLimitsSchema.parse({
    namespaces: listOption(options, "allowNamespace"),
    denyNodes: listOption(options, "denyNode"),
    allowRealReboots: options["allowRealReboots"] === true,
    allowCoTenants: options["allowCoTenants"] === true,
    ...(nodesMax === undefined ? {} : { nodesMax }),
    ...(percentMax === undefined ? {} : { percentMax }),
    ...(cooldownSeconds === undefined ? {} : { cooldownSeconds }),
  });
}

/** A list with commas, or the flag several times. */
function listOption(options: Invocation["options"], name: string): readonly string[] {
  const value = options[name];
  return [value]
    .flat()
    .flatMap((item) => (typeof item === "string" ? item.split(",") : []))
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function textAs<Name extends string>(name: Name, text: string | undefined) {
  return (text === undefined ? {} : { [name]: text }) as { readonly [key in Name]?: string };
}
