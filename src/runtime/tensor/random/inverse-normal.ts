import { log, polynomial } from "../math/index.ts";

/**
 * The value below which a standard normal variable lies with chance `p`, for p and 1 - p from 2^-33
 * on. Relative error below 1e-15. Rational approximations of M. J. Wichura, "Algorithm AS 241: The
 * percentage points of the normal distribution", Applied Statistics 37 (1988), with his
 * coefficients for 16 digits; his third one, for chances below 2^-36, is not needed here. p and
 * 1 - p give opposite values with the same bits.
 */
export function inverseNormal(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(central.over, r)) / polynomial(central.under, r);
  }
  const tail = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const r = tail - 1.6;
  const value = polynomial(outer.over, r) / polynomial(outer.under, r);
  return q < 0 ? -value : value;
}

// Coefficients from the highest power down.
const central = {
  over: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
    1971.5909503065513, 133.14166789178438, 3.3871328727963665,
  ],
  under: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
    687.1870074920579, 42.31333070160091, 1,
  ],
};

const outer = {
  over: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
    3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  under: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
    0.6897673349851, 1.6763848301838038, 2.053191626637759, 1,
  ],
};
