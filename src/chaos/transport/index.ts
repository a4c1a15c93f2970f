export {
  linuxRetransmission,
  longestWaitUs,
  nextTry,
  type Retransmission,
  type Try,
} from "./retransmission.ts";
