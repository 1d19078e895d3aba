/** What can happen to one change of the disk, and how the program that it shall happen to is told. */

export const faults = ["killed", "torn", "full", "read-only", "vanished"] as const;

/**
 * All processes are killed before the change; or in the middle of a write; the disk is full, or read-only, from this change on; or a file
 * or folder vanishes from under this one change.
 */
export type Fault = (typeof faults)[number];

export type ChangeKind = "create" | "write" | "rename" | "link" | "remove";

export interface Change {
  kind: ChangeKind;
  path: string;
  /** Whether it takes room on the disk even before anything is written. */
  creates: boolean;
}

export interface Injection {
  /** Changes below this folder are counted. */
  root: string;
  /** A folder where every change leaves a link with its number and what it was. */
  notes: string;
  fault?: Fault | undefined;
  /** The number of the change, from 1. */
  at?: number | undefined;
}

/** The file that holds the injection, which every process and thread reads at each change: another may take its place. */
export const faultVariable = "CUELAB_TEST_FAULT";

/** A folder for copies of all below the root: before each change, and with half of each write. Changes come one after the other then. */
export const statesVariable = "CUELAB_TEST_STATES";
