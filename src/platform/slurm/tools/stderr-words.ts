/** What Slurm's words can stand for. */
type SlurmCode = "E_SLURM_UNREACHABLE" | "E_SLURM_DENIED" | "E_SLURM_FAILED";

/** Slurm's words for a controller that cannot be talked to, whichever side is at fault. */
const unreachable = [
  /unable to contact slurm (controller|database)/i,
  /socket timed out/i,
  /communication connection failure/i,
  /connection (refused|timed out|reset)/i,
  /munge encode failed/i,
  /munge decode failed/i,
  /authentication (error|credential)/i,
  /invalid authentication/i,
  /protocol authentication error/i,
  /zero bytes were transmitted/i,
  /transport endpoint is not connected/i,
  /unable to (process|establish) config/i,
  /could not establish a configuration source/i,
  /resolve_ctls_from_dns_srv/i,
  /slurm_persist_conn_open/i,
  /problem talking to the database/i,
  /incompatible versions of client and server/i,
  /slurmctld.* (is )?(in standby|not responding)/i,
  /unexpected message received/i,
];

const denied = [
  /access\/permission denied/i,
  /permission denied/i,
  /invalid account/i,
  /invalid user id/i,
  /user's group not permitted/i,
  /not permitted/i,
  /invalid qos/i,
  /must be (superuser|operator|administrator|root)/i,
  /this account may not/i,
  /operation not permitted/i,
  /insufficient (admin )?privileges/i,
  /access denied/i,
];

/** Which error Slurm's own words stand for. */
export function codeOfWords(said: string): SlurmCode {
  if (unreachable.some((pattern) => pattern.test(said))) return "E_SLURM_UNREACHABLE";
  if (denied.some((pattern) => pattern.test(said))) return "E_SLURM_DENIED";
  return "E_SLURM_FAILED";
}

const charsMax = 400;

/** What a tool said, in one short line without the tool's name before each of its sentences. */
export function inOneLine(said: string): string {
  const lines = said
    .split("\n")
    .map((line) => line.replace(/^\w+: (?:error|fatal): /, "").trim())
    .filter((line) => line !== "");
  const line = [...new Set(lines)].join("; ");
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line;
}
