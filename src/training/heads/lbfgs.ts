/**
 * One head's way to its solution: L-BFGS (Nocedal and Wright, algorithm 7.4) from a bound of the curvature, as a machine that
 * asks for a value and its slopes at one point after the other. So many heads can be asked at once.
 */

/** Solves with the bound of the curvature, in place. */
export type Preconditioner = (vector: Float64Array) => void;

/** A step may lower the value by so much of what its slope promises. */
const armijo = 1e-4;
/** What sums of float32 numbers do not tell apart. */
const noise = 2e-7;
const mostHalvings = 12;

export class HeadSolver {
  /** Where to look next. */
  readonly trial: Float64Array;
  #point: Float64Array;
  #value = Number.POSITIVE_INFINITY;
  #slopes: Float64Array;
  #direction: Float64Array;
  #along = 0;
  #step = 1;
  #halvings = 0;
  #pairs: { s: Float64Array; y: Float64Array; product: number }[] = [];
  readonly #precondition: Preconditioner;
  readonly #tolerance: number;
  readonly #memory: number;
  state: "going" | "solved" | "stuck" = "going";
  evaluations = 0;

  constructor(
    first: Float64Array,
    precondition: Preconditioner,
    { tolerance, memory }: { tolerance: number; memory: number },
  ) {
    this.trial = Float64Array.from(first);
    this.#point = Float64Array.from(first);
    this.#slopes = new Float64Array(first.length);
    this.#direction = new Float64Array(first.length);
    this.#precondition = precondition;
    this.#tolerance = tolerance;
    this.#memory = memory;
  }

  get value(): number {
    return this.#value;
  }

  get point(): Float64Array {
    return this.#point;
  }

  /** What is there at the trial; `slopes` is kept. */
  tell(value: number, slopes: Float64Array): void {
    this.evaluations++;
    const isFirst = this.#value === Number.POSITIVE_INFINITY;
    const enough = this.#value + armijo * this.#step * this.#along + noise * Math.abs(this.#value);
    if (!isFirst && !(value <= enough)) {
      this.#halve(value);
      return;
    }
    if (!isFirst) this.#remember(slopes);
    this.#point.set(this.trial);
    this.#value = value;
    this.#slopes = slopes;
    this.#turn();
  }

  /** To the lowest point of the parabola through what is known, but no further than a tenth or half of the way. */
  #halve(value: number): void {
    if (++this.#halvings > mostHalvings) {
      // Where float32 sums no longer tell which way is down, that is the solution to their last digit.
      this.state = -this.#along < 100 * noise * Math.max(1, Math.abs(this.#value)) ? "solved" : "stuck";
      return;
    }
    const bend = value - this.#value - this.#step * this.#along;
    const lowest = Number.isFinite(bend) && bend > 0 ? (-this.#along * this.#step ** 2) / (2 * bend) : 0;
    this.#step = Math.min(0.5 * this.#step, Math.max(0.1 * this.#step, lowest));
    this.#look();
  }

  #remember(slopes: Float64Array): void {
    const s = this.trial.map((value, i) => value - this.#point[i]!);
    const y = slopes.map((value, i) => value - this.#slopes[i]!);
    const product = dot(s, y);
    if (product <= 1e-12 * Math.sqrt(dot(s, s) * dot(y, y))) return;
    this.#pairs.push({ s, y, product });
    if (this.#pairs.length > this.#memory) this.#pairs.shift();
  }

  #turn(): void {
    const direction = Float64Array.from(this.#slopes);
    const shares: number[] = [];
    for (const { s, y, product } of this.#pairs.toReversed()) {
      const share = dot(s, direction) / product;
      shares.push(share);
      addTo(direction, y, -share);
    }
    this.#precondition(direction);
    const last = this.#pairs.at(-1);
    if (last !== undefined) {
      // The bound is too high by some factor, which the last step tells.
      const bounded = Float64Array.from(last.y);
      this.#precondition(bounded);
      const factor = last.product / dot(last.y, bounded);
      for (let i = 0; i < direction.length; i++) direction[i]! *= factor;
    }
    for (const { s, y, product } of this.#pairs) {
      const share = shares.pop()! - dot(y, direction) / product;
      addTo(direction, s, share);
    }
    for (let i = 0; i < direction.length; i++) direction[i] = -direction[i]!;
    this.#direction = direction;
    this.#along = dot(direction, this.#slopes);
    // Half of it is what a parabola of this curvature would still give.
    if (-this.#along / 2 <= this.#tolerance * Math.max(1e-3, Math.abs(this.#value))) {
      this.state = "solved";
      return;
    }
    this.#step = 1;
    this.#halvings = 0;
    this.#look();
  }

  #look(): void {
    for (let i = 0; i < this.trial.length; i++)
      this.trial[i] = this.#point[i]! + this.#step * this.#direction[i]!;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addTo(into: Float64Array, from: Float64Array, share: number): void {
  for (let i = 0; i < into.length; i++) into[i]! += share * from[i]!;
}
