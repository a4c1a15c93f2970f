/** A user that exists inside a cluster only. */
export interface SlurmUser {
  readonly name: string;
  readonly id: number;
}

/** Submits jobs like anybody else. */
export const alice: SlurmUser = { name: "alice", id: 20_001 };
/** Another one: what alice may not touch. */
export const bob: SlurmUser = { name: "bob", id: 20_002 };
/** What a site would run Tessera as: an administrator where there is accounting. */
export const tessera: SlurmUser = { name: "tessera", id: 20_003 };

export const slurmUsers: readonly SlurmUser[] = [alice, bob, tessera];

/**
 * The user table inside: the machine's own with our users in place of any of the same name or
 * number.
 */
export function passwdWith(machines: string, homes: string): string {
  const ours = slurmUsers.map(({ name, id }) => `${name}:x:${id}:${id}::${homes}/${name}:/bin/sh`);
  return withOurs(machines, ours);
}

/** The group table inside: each of our users has a group of its own. */
export function groupWith(machines: string): string {
  return withOurs(
    machines,
    slurmUsers.map(({ name, id }) => `${name}:x:${id}:`),
  );
}

function withOurs(machines: string, ours: readonly string[]): string {
  const kept = machines.split("\n").filter((line) => {
    const [name, , id] = line.split(":");
    return line !== "" && !slurmUsers.some((user) => user.name === name || `${user.id}` === id);
  });
  return `${[...kept, ...ours].join("\n")}\n`;
}
