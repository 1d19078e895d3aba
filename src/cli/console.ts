/** What people see: data on stdout, progress and problems on stderr, colour only where a terminal wants it. */

import { styleText } from "node:util";
import { oneLine } from "../reports/text-table.ts";
import { Progress } from "./progress.ts";

type Style = Parameters<typeof styleText>[0];

export class Console {
  #progress: Progress | undefined;

  /** Text for people or programs, ending in a newline. */
  print(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  json(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  /** A remark that is not the command's result. */
  note(text: string): void {
    this.#progress?.pause();
    process.stderr.write(`${harmless(text)}\n`);
  }

  problem(text: string): void {
    this.#progress?.stop();
    process.stderr.write(`${paint("red", "error:", process.stderr)} ${harmless(text)}\n`);
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
    return paint(style, text, process.stdout);
  }
}

/** Names of files and texts of tables may hold what a terminal would obey; lines stay lines. */
function harmless(text: string): string {
  return text.split("\n").map(oneLine).join("\n");
}

function paint(style: Style, text: string, stream: NodeJS.WriteStream): string {
  const { NO_COLOR, TERM } = process.env;
  const wanted = stream.isTTY && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
  return wanted ? styleText(style, text, { validateStream: false }) : text;
}
