/** Several lines that are redrawn in place on a terminal; elsewhere only the last one is written, now and then. */

import { oneLine } from "../core/shown-text.ts";
import type { ProgressStream } from "./progress.ts";

const redrawMs = 200;
const lineMs = 30_000;

export class LiveBlock {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  #drawn = 0;
  #shown: number;

  constructor(stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
    this.#shown = stream.isTTY ? Number.NEGATIVE_INFINITY : now();
  }

  /** Draws what `lines` gives, unless it did so a moment ago. */
  update(lines: () => readonly string[]): void {
    const now = this.#now();
    if (now - this.#shown < (this.#stream.isTTY ? redrawMs : lineMs)) return;
    this.#shown = now;
    const texts = lines().map((line) => oneLine(line));
    if (!this.#stream.isTTY) {
      this.#stream.write(`${texts.at(-1) ?? ""}\n`);
      return;
    }
    const width = (this.#stream.columns ?? 80) - 1;
    this.clear();
    this.#stream.write(texts.map((text) => `${text.slice(0, width)}\n`).join(""));
    this.#drawn = texts.length;
  }

  /** Makes room for other text. */
  clear(): void {
    if (this.#drawn > 0) this.#stream.write(`\x1b[${this.#drawn}A\x1b[0J`);
    this.#drawn = 0;
  }
}
