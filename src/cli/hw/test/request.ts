import type { InferenceRequest, ScenarioOptions } from "../../../hardware/harness/index.ts";
import { textOption } from "../../actor.ts";
import type { Invocation } from "../../invocation.ts";
import { usageError } from "../../usage-error.ts";
import { integerFlag, requiredText, secondsFlag, workloadFlag } from "../flags.ts";

const command = "hw test";

type Options = Invocation["options"];

/** What the flags ask for. @throws E_USAGE */
export function readTestFlags(options: Options): ScenarioOptions {
  const namespace = requiredText(command, options, "namespace");
  const workload = workloadFlag(command, options, namespace);
  if (workload === undefined) {
    throw usageError(command, "the workload is missing, such as `--deployment server`");
  }
  const xid = integerFlag(command, options, { name: "xid", shown: "--xid", min: 1, max: 999 });
  const sequence = textOption(options, "sequence");
  if (xid !== undefined && sequence !== undefined) {
    throw usageError(command, "`--xid` and `--sequence` exclude each other");
  }
  const request = textOption(options, "request");
  const success = textOption(options, "minSuccess");
  const durationSeconds = secondsFlag(command, options, "duration");
  const leaseSeconds = secondsFlag(command, options, "lease");
  return {
    namespace,
    workload: { name: workload.name, kind: workload.kind },
    enableHwFaults: true,
    ...(xid === undefined ? {} : { xid }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(request === undefined ? {} : { request: parseRequest(request) }),
    ...milliseconds(options, "baseline", "baselineMs"),
    ...milliseconds(options, "after", "afterMs"),
    ...milliseconds(options, "detector-timeout", "detectorTimeoutMs"),
    ...milliseconds(options, "recovery-timeout", "recoveryTimeoutMs"),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
    ...(success === undefined ? {} : { bounds: { successAfterMin: shareOf(success) } }),
    ...(options["allowRealReboot"] === true ? { allowRealReboot: true } : {}),
  };
}

/** `pod:8080/health`, `service:web:80/health`, `http://127.0.0.1:8000/v1/models`. */
export function parseRequest(text: string): InferenceRequest {
  if (/^https?:\/\//.test(text)) return { url: text };
  const pod = /^pod:(\d{1,5})(\/\S*)?$/.exec(text);
  if (pod !== null) return { podPort: Number(pod[1]), path: pod[2] ?? "/" };
  const service = /^service:([a-z0-9][a-z0-9-]*):([a-z0-9-]+)(\/\S*)?$/.exec(text);
  if (service !== null) {
    return { service: service[1] ?? "", port: service[2] ?? "", path: service[3] ?? "/" };
  }
  const forms = "pod:8080/health, service:web:80/health or a URL";
  throw usageError(command, `\`--request ${text}\` is none of ${forms}`);
}

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && share <= 1) return share;
  throw usageError(command, `\`--min-success ${text}\` is not a share from 0 to 1`);
}

/** A duration by the flag's own name; options have it in camel case. */
function milliseconds<Name extends string>(options: Options, flag: string, name: Name) {
  const key = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const seconds = secondsFlag(command, { [flag]: options[key] }, flag);
  return (seconds === undefined ? {} : { [name]: seconds * 1000 }) as Partial<Record<Name, number>>;
}
