import type { Difference } from "./record.mjs";

export function differences(stored: unknown, found: unknown, path?: string[]): Difference[];
export function judge<Entry extends { path: string[]; only?: string; within?: number }>(
  found: Difference[],
  intended: Entry[],
): { others: Difference[]; used: Map<Entry, number> };
export function tell(difference: Difference): string;
