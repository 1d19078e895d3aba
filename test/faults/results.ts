/** What came of the trials, kept line by line, so that hours of them can be done in parts. */

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { nameOf, type Outcome, type Trial } from "./run-case.ts";

export interface Result extends Outcome {
  case: string;
  trial: Trial;
  /** How many changes the undisturbed command makes: with others, places have other numbers. */
  changes: number;
  day: string;
  cores: number;
}

export class Results {
  readonly #path: string | undefined;
  readonly #all: Result[] = [];

  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
    this.#all = lines.map((line) => JSON.parse(line) as Result);
  }

  add(of: string, trial: Trial, changes: number, outcome: Outcome): void {
    const day = new Date().toISOString().slice(0, 10);
    const result: Result = { case: of, trial, changes, day, cores: availableParallelism(), ...outcome };
    this.#all.push(result);
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
  }

  /** Of one case, where it still makes so many changes; what failed is to be done again, and counts as its last time. */
  of(name: string, changes: number): Map<string, Result> {
    const kept = this.#all.filter((result) => result.case === name && result.changes === changes);
    return new Map(kept.map((result) => [`${nameOf(result.trial)} of ${result.trial.of}`, result]));
  }

  isDone(name: string, changes: number, trial: Trial): boolean {
    return this.of(name, changes).get(`${nameOf(trial)} of ${trial.of}`)?.problems.length === 0;
  }
}
