/** A property of all images: four bytes each, whatever their values are. */

type PropertyValue = number | string | null;

/** What an image does not have is NaN, or the code -1. */
export type MeasuredColumn = MeasuredNumbers | MeasuredNames;

export class MeasuredNumbers {
  readonly kind = "number";
  readonly values: Float32Array;

  constructor(count: number) {
    this.values = new Float32Array(count).fill(Number.NaN);
  }

  set(start: number, values: readonly PropertyValue[]): void {
    for (const [i, value] of values.entries()) if (typeof value === "number") this.values[start + i] = value;
  }
}

export class MeasuredNames {
  readonly kind = "name";
  readonly codes: Int32Array;
  readonly names: string[] = [];
  readonly #codes = new Map<string, number>();

  constructor(count: number) {
    this.codes = new Int32Array(count).fill(-1);
  }

  set(start: number, values: readonly PropertyValue[]): void {
    for (const [i, value] of values.entries())
      if (typeof value === "string") this.codes[start + i] = this.#code(value);
  }

  #code(name: string): number {
    const known = this.#codes.get(name);
    if (known !== undefined) return known;
    this.#codes.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}
