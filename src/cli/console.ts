/** What people see: data on stdout, progress and problems on stderr, colour only where a terminal wants it. */

import { styleText } from "node:util";
import { shownLines } from "../core/shown-text.ts";
import { asJson } from "../reports/as-json.ts";
import { Progress } from "./progress.ts";

/** Stand for colours until what is between them has been made harmless; as characters they mean nothing. */
const marks = { bold: "\ufdd0", green: "\ufdd1", red: "\ufdd2" } as const;
type Style = keyof typeof marks;
const markEnd = "\ufdd3";

export class Console {
  #progress: Progress | undefined;

  /** Text for people, ending in a newline: whatever names hold, the terminal obeys none of it. */
  print(text: string): void {
    process.stdout.write(`${coloured(text, process.stdout)}\n`);
  }

  /** Text for programs, ending in a newline: to a pipe or file as it is, to people as they may see it. */
  data(text: string): void {
    process.stdout.write(`${process.stdout.isTTY ? shownLines(text) : text}\n`);
  }

  json(value: unknown): void {
    this.data(asJson(value).trimEnd());
  }

  /** A remark that is not the command's result. */
  note(text: string): void {
    this.#progress?.pause();
    process.stderr.write(`${shownLines(text)}\n`);
  }

  problem(text: string): void {
    this.#progress?.stop();
    process.stderr.write(`${coloured(marked("red", "error:"), process.stderr)} ${shownLines(text)}\n`);
  }

  /** Replaces the progress line before it, if there is one. */
  progress(label: string, total: number, unit: string): Progress {
    this.#progress?.stop();
    this.#progress = new Progress(process.stderr, label, total, unit);
    return this.#progress;
  }

  /** Progress of work whose size is known only once it has begun; `quiet` shows none. */
  follow(quiet: boolean | undefined) {
    let progress: Progress | undefined;
    return {
      begin: (label: string, total: number) => {
        if (!quiet) progress = this.progress(label, total, "images");
      },
      update: (done: number) => progress?.update(done),
      finish: () => progress?.finish(),
    };
  }

  style(style: Style, text: string): string {
    return marked(style, text);
  }
}

function marked(style: Style, text: string): string {
  return `${marks[style]}${shownLines(text)}${markEnd}`;
}

/** Marks become colours where a terminal wants them, and vanish elsewhere. */
function coloured(text: string, stream: NodeJS.WriteStream): string {
  const { NO_COLOR, TERM } = process.env;
  const wanted = stream.isTTY && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
  const styles = Object.entries(marks) as [Style, string][];
  return text
    .split(/([\ufdd0-\ufdd2][^\ufdd0-\ufdd3\n]*\ufdd3)/)
    .map((part, i) => {
      if (i % 2 === 0) return shownLines(part);
      const words = part.slice(1, -1);
      const [style] = styles.find(([, mark]) => part.startsWith(mark))!;
      return wanted ? styleText(style, words, { validateStream: false }) : words;
    })
    .join("");
}
