export { linuxRetransmission, passesAtUs, type Retransmission } from "./retransmission.ts";
