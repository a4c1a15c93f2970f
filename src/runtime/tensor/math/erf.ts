import { exp } from "./exp.ts";
import { polynomial } from "./polynomial.ts";

/** The error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x. Error below 2 ulp. */
export function erf(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude > 1)) return x * series(x * x);
  const value = magnitude < 6 ? 1 - tail(magnitude) : 1;
  return x < 0 ? -value : value;
}

/**
 * 1 - erf(x), without the cancellation for large x. Error below 4 ulp, and below 1e-323 where the
 * result is not a normal number any more.
 */
export function erfc(x: number): number {
  if (!(Math.abs(x) > 0.5)) return 1 - x * series(x * x);
  return x > 0 ? tail(x) : 2 - tail(-x);
}

/** erf(x) / x from z = x^2 up to 1. */
function series(z: number): number {
  return polynomial(taylor, z);
}

/** erfc for x from 0.5 on. */
function tail(x: number): number {
  if (x > 27.3) return 0;
  const t = (x - 3.5) / (x + 3.5);
  // The square of the upper 24 bits is exact; what it lacks of x^2 is small and comes afterwards.
  const upper = Math.fround(x);
  const rest = (upper - x) * (upper + x);
  const correction = rest * (1 + rest * (1 / 2 + rest * (1 / 6)));
  const value = (exp(-upper * upper) * polynomial(scaled, t)) / (1 + 2 * x);
  return value + value * correction;
}

// Taylor: 2/sqrt(pi) (-1)^n / (n! (2n + 1)), from n = 18 down.
const taylor = [
  4.763348040515068e-18, -9.063970842808673e-17, 1.6342614095367152e-15, -2.7835162072109215e-14,
  4.4632242632864775e-13, -6.7113668551641105e-12, 9.422759064650411e-11, -1.2290555301717928e-9,
  1.4807192815879218e-8, -1.6365844691234924e-7, 1.6462114365889248e-6, -1.492565035840625e-5,
  0.00012055332981789664, -0.0008548327023450853, 0.005223977625442188, -0.026866170645131252,
  0.11283791670955126, -0.37612638903183754, 1.1283791670955126,
];

// (1 + 2x) e^(x^2) erfc(x) as a polynomial of t = (x - 3.5) / (x + 3.5), from the highest power
// down: its Chebyshev expansion for x from 0.5 to 28 in 60 digits, cut where it falls below 2^-55.
const scaled = [
  1.0321137037556912e-8, 5.040286076200098e-10, -9.279326504334727e-8, -7.75523827915486e-9,
  5.998862334779531e-7, -4.441702281148904e-8, -3.8142145958536097e-6, 2.3284038451085137e-6,
  2.4260873259175937e-5, -4.278225888821932e-5, -0.0001215124103799954, 0.0005643844222772762,
  -0.0003022678783982668, -0.004215019908232023, 0.01909933094243567, -0.048823325827875574,
  0.08798315382486559, -0.11508959816019292, 0.0975190951532586, -0.010555596332218272,
  -0.14000918013761943, 1.2423492448711544,
];
