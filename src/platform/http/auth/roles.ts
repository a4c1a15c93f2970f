/** What a token may do, each role including those before it. */
export const roles = ["read", "operate", "inject", "admin"] as const;
export type Role = (typeof roles)[number];

/** True when a holder of `held` may do what needs `needed`. */
export function roleAllows(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}
