import type { ClusterValidationView } from "../../../platform/http/index.ts";

/** What a reader must know before any number: where it comes from. */
export function clusterLabel({
  kind,
  about,
  speed,
}: Pick<ClusterValidationView, "kind" | "about" | "speed">): string {
  switch (kind) {
    case "local":
      return "measured on this machine";
    case "kubernetes":
      return `measured on ${about}`;
    case "simulated":
      return `simulated fleet (${about}, ${speed.toLocaleString("en")} times faster than real time)`;
  }
}
