/**
 * The incomplete gamma function, for χ² numbers. @stdlib's is not used: from a shape of a thousand on it is off by a
 * hundredth (0.4931 for 0.5034 at 1500 and 1500), where tables of some thousand images lie.
 */

/** xᵃe⁻ˣ/Γ(a + 1), a Poisson probability where a is whole. */
export function poissonTerm(a: number, x: number): number {
  // Stirling's series has fifteen digits from 16 on; smaller shapes come down to it.
  if (a < 16) return (poissonTerm(a + 1, x) * (a + 1)) / x;
  const inverse = 1 / (a * a);
  const stirling =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / a;
  return Math.exp(-a * deviance(x / a, (x - a) / a) - stirling) / Math.sqrt(2 * Math.PI * a);
}

/** u - log(1 + u) of a ratio 1 + u; its terms cancel where that is near 1. */
function deviance(ratio: number, u: number): number {
  if (Math.abs(u) > 0.1) return u - Math.log(ratio);
  // u²/2 - u³/3 + …
  let [total, power] = [0, -u];
  for (let k = 2; k < 20; k++) {
    power *= -u;
    total += power / k;
  }
  return total;
}

/** P(a, x), the probability that a Gamma(a, 1) number is at most x. SciPy's `gammainc`. */
export function lowerGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  const term = poissonTerm(a, x);
  return x < a + 1 ? Math.min(1, term * series(a, x)) : Math.max(0, 1 - term * a * fraction(a, x));
}

/** 1 + x/(a + 1) + x²/((a + 1)(a + 2)) + … */
function series(a: number, x: number): number {
  let [total, term] = [1, 1];
  for (let k = 1; term > 1e-17 * total; k++) {
    term *= x / (a + k);
    total += term;
  }
  return total;
}

/** Γ(a, x) / (xᵃe⁻ˣ) by its continued fraction, with Lentz's method. */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let value = d;
  for (let k = 1; ; k++) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / notZero(numerator * d + b);
    c = notZero(b + numerator / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-16 || k > mostSteps) return value;
  }
}

/** It needs about as many as the root of the shape; that of a billion images is below. */
const mostSteps = 100_000;

function notZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}
