/** One row of NVIDIA's table for the long form of XID 144 to 150. */
export interface Nvlink5Rule {
  readonly xid: number;
  /** Names of the unit, joined by `/`; null for a row that gpud's copy of the table lacks. */
  readonly unit: string | null;
  /** Bits of the first register with drivers before 575. */
  readonly v1: BitPattern;
  /** Bits of the first register with drivers from 575 on. */
  readonly v2: BitPattern;
  /** Bits 20 to 25 of the first register. */
  readonly subCode: number;
  /** The second register as the driver writes it, after `0x`; null where the table leaves it open. */
  readonly status: string | null;
  readonly action: "RESET_GPU" | "IGNORE" | "XID_154_EVAL";
  readonly fatal: boolean;
}

/** A register has the pattern when it has `value` in the bits of `mask`. */
export interface BitPattern {
  readonly mask: number;
  readonly value: number;
}

/**
 * XID, unit, lowest bits before 575, lowest bits from 575 on, then `status=what`, or `sub code:*=what`
 * where any status will do. R: reset, fatal. I: ignore, not fatal. L: ignore, yet fatal to the link.
 * E: what an XID 154 beside it says, not fatal.
 */
const table = `
144 SAW_MVB 0000100001 0000001 00000001=I 00000002=R 00000004=I 00000008=I 00000010=R 00000020=I
145 RLW_CTRL 0001100010 0000011 80000000=I
145 RLW_REMAP 0010000010 0000100 00000001=E 00000002=E 00000004=E 00000008=E 00000010=E 00000020=E 00000040=R 00000080=R 00000100=I 00000200=I 80000000=I
145 RLW_RSPCOL 0010100010 0000101 00000001=I 00000002=R 80000000=I
145 RLW_RXPIPE 00011000010 00000110 00000001=I 00000002=I 00000004=I
145 RLW_RXPIPE 0011000010 0000110 00000008=I 80000000=I
145 RLW_SRC_TRACK 0011100010 0000111 00000001=R 00000002=I 00000004=E 00000008=E 00000010=R 00000020=R 80000000=I
145 RLW_TAGSTATE 0100000010 0001000 00000001=I 00000002=R 00010000=I 00020000=R 00100000=R 80000000=I
146 TLW_CTRL 0100100011 0001001 00000001=I 00000002=I 00000004=R 80000000=I
146 TLW_RX/TLW_RX_PIPE0 0101000011 0001010 00000001=I 00000002=I 00000004=R 80000000=I
146 TLW_RX/TLW_RX_PIPE1 0101000011 0001011 00000001=I 00000002=I 00000004=R 80000000=I
146 TLW_TX/TLW_TX_PIPE0 0101100011 0001100 00000001=I 00000002=I 00000004=R 80000000=I
146 TLW_TX/TLW_TX_PIPE1 0101100011 0001101 00000001=I 00000002=I 00000004=R 80000000=I
147 TREX 0110000100 0001110 00000001=I 80000000=I
148 NVLPW_CTRL/NVLPW 0000000101 0001111 80000000=I
149 NETIR/NETIR_INT 0000000110 0011000 000000:*=R
149 NETIR_LINK_EVT/NETIR_LINK_DOWN 0111000110 0010001 000000:*=R 000001:*=R 000010:*=R 000100:*=R 001010:*=R 001111:*=R 010000:*=R 010001:*=R 010010:*=R 010101:*=R 010110:*=R 100000:*=R 100001:*=R 100010:*=R 100011:*=R 100100:*=R 100101:*=R 100110:*=L 101000:*=L 101010:*=R 101011:*=R
149 NETIR_BER_EVENT 1000100110 0010011 00000000=I 00000001=I 00000002=I 00000003=I
149 NETIR_MFDE_EVENT 1001000110 0010100 00000001=R 00000003=I 00000004=R 00000005=R 00000007=R
150 - 0000000000 0000000 FFFFFFFF=R
150 MSE_WATCHDOG 0000000000 0000000 00000000=R
`;

const meanings: Readonly<Record<string, Pick<Nvlink5Rule, "action" | "fatal">>> = {
  R: { action: "RESET_GPU", fatal: true },
  I: { action: "IGNORE", fatal: false },
  L: { action: "IGNORE", fatal: true },
  E: { action: "XID_154_EVAL", fatal: false },
};

/** NVIDIA's table, in its order. */
export const nvlink5Rules: readonly Nvlink5Rule[] = table.trim().split("\n").flatMap(rulesIn);

function rulesIn(line: string): Nvlink5Rule[] {
  const [xid = "", unit = "", low1 = "", low2 = "", ...cells] = line.split(" ");
  return cells.flatMap((cell) => {
    const [where = "", letter = ""] = cell.split("=");
    const [, top = "000000", status = ""] = /^(?:([01]{6}):)?(.+)$/.exec(where) ?? [];
    const meaning = meanings[letter];
    if (meaning === undefined) return [];
    return {
      xid: Number(xid),
      unit: unit === "-" ? null : unit,
      v1: patternOf(top, low1),
      v2: patternOf(top, low2),
      subCode: Number.parseInt(top, 2),
      status: status === "*" ? null : status,
      ...meaning,
    };
  });
}

/** The sub code and the lowest bits count; those between are free. */
function patternOf(top: string, low: string): BitPattern {
  return {
    mask: 0x3f * 2 ** 20 + 2 ** low.length - 1,
    value: Number.parseInt(top, 2) * 2 ** 20 + Number.parseInt(low, 2),
  };
}

/** `register` as a 32-bit number. */
export function hasPattern(register: number, { mask, value }: BitPattern): boolean {
  return (register & mask) === value;
}
