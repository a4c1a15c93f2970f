import { userInfo } from "node:os";

/** Undefined where this user has no name, as in many a container. */
export function ownUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
