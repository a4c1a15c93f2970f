import { f64, i32, i64, type ModuleBuilder } from "../../kernels/index.ts";

/** `divide`: doubles in place by a small whole number, rounded to odd, as `quotientToOdd` does. */
export function addDivide(m: ModuleBuilder): void {
  const params = { at: "i32", count: "i32", divisor: "f64" } as const;
  m.function("divide", params, (f, p) => {
    const sum = f.local("f64");
    const quotient = f.local("f64");
    const upper = f.local("f64");
    const residual = f.local("f64");
    const bits = f.local("i64");
    const i = f.local("i32");
    f.countTo(i, { limit: p.count }, () => {
      f.set(sum, f64.load(p.at));
      f.set(quotient, f64.div(sum, p.divisor));
      const spread = f.let(f64.mul(quotient, f64.const(2 ** 27 + 1)));
      f.set(upper, f64.sub(spread, f64.sub(spread, quotient)));
      const rest = f64.mul(f64.sub(quotient, upper), p.divisor);
      f.set(residual, f64.sub(f64.sub(sum, f64.mul(upper, p.divisor)), rest));
      f.set(bits, i64.reinterpretF64(quotient));
      // The residual of an infinite quotient is NaN, of zero 0: both fail one of the comparisons.
      const inexact = i32.or(f64.lt(residual, f64.const(0)), f64.gt(residual, f64.const(0)));
      const even = i64.eqz(i64.and(bits, i64.const(1n)));
      f.if(i32.and(inexact, even), () => {
        const grows = i32.eq(f64.gt(residual, f64.const(0)), f64.gt(quotient, f64.const(0)));
        f.set(bits, i64.add(bits, f.select(grows, i64.const(1n), i64.const(-1n))));
      });
      f.store(p.at, f64.reinterpretI64(bits));
      f.increase(p.at, 8);
    });
  });
}
