/** Things that are expensive to make, kept while they fit: the one that was not asked for longest goes first. */

export class ByteCache<Value> {
  readonly #entries = new Map<number, { value: Promise<Value>; bytes: number }>();
  readonly #make: (key: number) => Value | Promise<Value>;
  readonly #bytesOf: (value: Value) => number;
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(
    make: (key: number) => Value | Promise<Value>,
    bytesOf: (value: Value) => number,
    mostBytes: number,
  ) {
    this.#make = make;
    this.#bytesOf = bytesOf;
    this.#mostBytes = mostBytes;
  }

  /** Made once, even where several ask at the same time. */
  get(key: number): Promise<Value> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value;
    }
    const entry = { value: this.#started(key), bytes: 0 };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => {
        entry.bytes = this.#bytesOf(value);
        this.#bytes += entry.bytes;
        this.#shrink();
      },
      // What failed is tried again when it is asked for again; who asked for it now is told.
      () => this.#entries.delete(key),
    );
    return entry.value;
  }

  async #started(key: number): Promise<Value> {
    return this.#make(key);
  }

  #shrink(): void {
    for (const [key, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#mostBytes || this.#entries.size === 1) return;
      // Those that are still being made have no size yet.
      if (bytes === 0) continue;
      this.#entries.delete(key);
      this.#bytes -= bytes;
    }
  }
}
