import { userInfo } from "node:os";

/** Undefined where this user has no name. */
export function ownUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
