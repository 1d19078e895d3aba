/** Runs for TensorBoard: a folder a run, with its epochs and, at the end, its accuracies. */

import { hostname } from "node:os";
import { join } from "node:path";
import { appendBytes } from "../disk/append-line.ts";
import { makeFolder } from "../disk/make-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { type HistoryRow, readHistory } from "./learning-curves.ts";
import type { ListedRun } from "./listed-runs.ts";
import { firstRecord, type ScalarEvent, scalarRecord } from "./tensorboard-events.ts";

/** An epoch as a method's stage reports it, under the names of `history.csv`. */
export type LoggedEpoch = Pick<HistoryRow, "stage" | "epoch" | "numbers">;

/** Writes while a run is going on; every process that works on it has a file of its own, which TensorBoard puts together. */
export class TensorboardLog {
  readonly #path: string;
  #writing: Promise<void>;

  private constructor(path: string) {
    this.#path = path;
    this.#writing = appendBytes(path, firstRecord(seconds()));
  }

  static async begin(folder: string): Promise<TensorboardLog> {
    await makeFolder(folder);
    return new TensorboardLog(join(folder, eventsName(seconds(), `${hostname()}.${process.pid}`)));
  }

  epoch(row: LoggedEpoch): void {
    this.#add({ step: row.epoch, wallTime: seconds(), scalars: epochScalars(row) });
  }

  accuracies(step: number, accuracy: ListedRun["accuracy"]): void {
    this.#add({ step, wallTime: seconds(), scalars: accuracyScalars(accuracy) });
  }

  /** What could not be written is told here. */
  async end(): Promise<void> {
    await this.#writing;
  }

  #add(event: ScalarEvent): void {
    if (Object.keys(event.scalars).length === 0) return;
    this.#writing = this.#writing.then(() => appendBytes(this.#path, scalarRecord(event)));
    // Told at the end.
    this.#writing.catch(() => {});
  }
}

/** Of a run that is there already: the same again, with the times of its log. Its file. */
export async function writeEvents(
  run: ListedRun,
  folder: string,
  { overwrite }: { overwrite: boolean },
): Promise<string> {
  const history = readHistory(run.folder);
  const [first, last] = [run.started, run.ended].map((time) => Date.parse(time ?? "") / 1000);
  const begun = Number.isFinite(first) ? first! : 0;
  const apart = Number.isFinite(last) && history.length > 0 ? (last! - begun) / history.length : 1;
  const epochs = history.map((row, i) =>
    scalarRecord({ step: row.epoch, wallTime: begun + apart * (i + 1), scalars: epochScalars(row) }),
  );
  const end = accuracyScalars(run.accuracy);
  const at = begun + apart * history.length;
  const path = join(folder, eventsName(begun, run.id));
  const records = [
    firstRecord(begun),
    ...epochs,
    ...(Object.keys(end).length === 0
      ? []
      : [scalarRecord({ step: run.epoch ?? 0, wallTime: at, scalars: end })]),
  ];
  await writeWhole(path, Buffer.concat(records), { overwrite });
  return path;
}

function eventsName(wallTime: number, who: string): string {
  return `events.out.tfevents.${Math.floor(wallTime)}.${who}`;
}

/** Of a stage with a name of its own under that name; TensorBoard groups by what stands before a slash. */
function epochScalars({ stage, numbers }: LoggedEpoch): Record<string, number> {
  const prefix = stage === "train" ? "epochs" : stage;
  return known(Object.entries(numbers).map(([name, value]) => [`${prefix}/${name}`, value]));
}

function accuracyScalars(accuracy: ListedRun["accuracy"]): Record<string, number> {
  return known(accuracy.map(({ slice, accuracy: value }) => [`accuracy/${slice}`, value]));
}

function known(entries: readonly (readonly [string, number | null])[]): Record<string, number> {
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== null));
}

function seconds(): number {
  return Date.now() / 1000;
}
