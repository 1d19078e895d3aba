import type { Checkout } from "./checkout.mjs";

export interface Difference {
  path: string[];
  stored: unknown;
  found: unknown;
}

export interface Checked {
  /** That nobody meant. */
  others: Difference[];
  /** How many differences each entry of intended.json speaks of. */
  used: Map<{ path: string[]; reason: string }, number>;
  /** Why bits were not compared. */
  skipped: string | undefined;
  /** How many values. */
  compared: number;
  seconds: number;
}

export function checkSection(
  name: string,
  checkout: Checkout,
  options?: { short?: boolean },
): Promise<Checked>;
