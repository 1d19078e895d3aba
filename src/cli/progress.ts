/** Progress of long work: count, rate and remaining time; a moving line on a terminal, a line now and then elsewhere. */

import { duration } from "../core/duration.ts";
import { oneLine } from "../core/shown-text.ts";

const redrawMs = 100;
const lineMs = 10_000;

export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

export class Progress {
  readonly #stream: ProgressStream;
  #label: string;
  #total: number;
  readonly #unit: string;
  readonly #now: () => number;
  readonly #start: number;
  #shown: number;
  #done = 0;

  constructor(
    stream: ProgressStream,
    label: string,
    total: number,
    unit: string,
    now: () => number = () => performance.now(),
  ) {
    this.#stream = stream;
    this.#label = oneLine(label);
    this.#total = total;
    this.#unit = unit;
    this.#now = now;
    this.#start = now();
    this.#shown = this.#start;
  }

  /** What is being done may change on the way, and how much of it there is. */
  relabel(label: string, total: number): void {
    this.#label = oneLine(label);
    this.#total = total;
  }

  update(done: number): void {
    this.#done = done;
    const now = this.#now();
    if (now - this.#shown < (this.#stream.isTTY ? redrawMs : lineMs)) return;
    this.#shown = now;
    const room = this.#stream.isTTY ? (this.#stream.columns ?? 80) - 1 : Number.POSITIVE_INFINITY;
    const line = this.#line(now, room);
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
  }

  /** Makes room for a line of text. */
  pause(): void {
    if (this.#stream.isTTY) this.#stream.write("\r\x1b[2K");
  }

  /** Removes the moving line. */
  stop(): void {
    this.pause();
  }

  /** The closing line. */
  finish(): void {
    this.stop();
    const seconds = (this.#now() - this.#start) / 1000;
    const rate = Math.round(this.#done / Math.max(seconds, 1e-3));
    this.#stream.write(
      `${this.#label}: ${this.#done.toLocaleString("en")} ${this.#unit} in ${duration(seconds)} (${rate.toLocaleString("en")}/s)\n`,
    );
  }

  /** Where there is little room, the bar gets shorter, then the label; count and time left stay. */
  #line(now: number, room: number): string {
    const seconds = (now - this.#start) / 1000;
    const rate = this.#done / Math.max(seconds, 1e-3);
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    const left = rate > 0 ? `${duration((this.#total - this.#done) / rate)} left` : "";
    const count = `${this.#done.toLocaleString("en")}/${this.#total.toLocaleString("en")} ${this.#unit}`;
    const numbers = `${count}  ${Math.round(rate).toLocaleString("en")}/s  ${left}`;
    const free = room - this.#label.length - numbers.length - 2;
    if (free < 1) {
      const short = `${count}  ${left}`;
      const label = this.#label.slice(0, Math.max(0, room - short.length - 1));
      return `${label} ${short}`.trimStart().slice(0, room);
    }
    const length = Math.min(20, free);
    const bar = "█".repeat(Math.round(length * share)).padEnd(length, "░");
    return `${this.#label} ${bar} ${numbers}`;
  }
}
