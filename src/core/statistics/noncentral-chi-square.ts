/** The noncentral χ² distribution, by which an association's strength is told from its χ². */

import { inputError, usageError } from "./checks.ts";
import { lowerGamma, poissonTerm } from "./gamma.ts";

/**
 * The probability that a noncentral χ² number is at most x: central ones with k more pairs of degrees of freedom, where k
 * is a Poisson number with mean λ/2. Summed from the largest weight to both sides, until weights vanish. SciPy's `ncx2.cdf`.
 */
export function noncentralChiSquareCdf(x: number, degreesOfFreedom: number, noncentrality: number): number {
  if (!(x >= 0 && degreesOfFreedom > 0 && noncentrality >= 0)) {
    const got = `${x}, ${degreesOfFreedom}, ${noncentrality}`;
    throw inputError(
      "no such noncentral χ²",
      "x, degrees of freedom above 0 and noncentrality, none below 0",
      got,
    );
  }
  if (x === 0) return 0;
  const [half, shape, rate] = [x / 2, degreesOfFreedom / 2, noncentrality / 2];
  const centre = Math.floor(rate);
  const first = { below: lowerGamma(shape + centre, half), term: poissonTerm(shape + centre, half) };
  let [total, hit] = [1, first.below];
  // P(a + 1, x) = P(a, x) - xᵃe⁻ˣ/Γ(a + 1), and weights relative to the largest: w(k + 1) = w(k) · rate / (k + 1).
  for (let k = centre + 1, weight = 1, { below, term } = first; ; k++) {
    weight *= rate / k;
    if (weight < negligible) break;
    below = Math.max(0, below - term);
    term *= half / (shape + k);
    total += weight;
    hit += weight * below;
  }
  for (let k = centre - 1, weight = 1, { below, term } = first; k >= 0; k--) {
    weight *= (k + 1) / rate;
    if (weight < negligible) break;
    term *= (shape + k + 1) / half;
    below = Math.min(1, below + term);
    total += weight;
    hit += weight * below;
  }
  return hit / total;
}

const negligible = 1e-17;

/** The λ at which a χ² as large as x or larger has the probability `p`; 0 where even no association makes it likelier. */
export function noncentralityOf(x: number, degreesOfFreedom: number, p: number): number {
  if (!(p > 0 && p < 1)) throw usageError("no such probability", "a number between 0 and 1", String(p));
  const below = (noncentrality: number) => noncentralChiSquareCdf(x, degreesOfFreedom, noncentrality);
  if (below(0) <= 1 - p) return 0;
  let [low, high] = [0, Math.max(1, x)];
  while (below(high) > 1 - p) [low, high] = [high, 2 * high];
  // To ten digits, which is more than the approximation by a χ² is worth.
  for (let halving = 0; halving < 60 && high - low > 1e-10 * high; halving++) {
    const middle = (low + high) / 2;
    if (below(middle) > 1 - p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
