/** Which columns of a pool's table are fitted on which: environments, and groups as Salaudeen et al. do for Waterbirds. */

import type { EnvironmentPlan, Fold } from "../training/environments.ts";
import type { MeasuredSet } from "./measured-sets.ts";

/** As the audit of a line takes it. */
interface PoolPair {
  id: readonly string[];
  ood: string;
  testEnvironment?: string;
}

export interface PairOptions {
  /** Also each group at home on each group abroad. */
  groupPairs: boolean;
}

/**
 * For each environment that is left out: its accuracy on those of the training environments, by their mean and each
 * (Table 24), the accuracy of each of its groups on their mean (Table 25), and that on the accuracy of each group in
 * them (Table 26), which of several training environments is again the mean.
 */
export function poolPairs(
  { environments }: EnvironmentPlan,
  folds: readonly Fold[],
  sets: readonly MeasuredSet[],
  { groupPairs }: PairOptions,
): PoolPair[] {
  const out = sets.filter(({ part }) => part === "out");
  const whole = (environment: number) =>
    out.find((set) => set.environment === environment && set.group === undefined)!.column;
  const groupsOf = (environment: number) =>
    out.filter((set) => set.environment === environment && set.group !== undefined);
  // Where several are left out at once, there is one fold, and every row is of it.
  const single = folds.length === 1;
  return folds.flatMap(({ training, shifted }) => {
    const home = environments.flatMap((_, i) => (training.includes(i) ? [whole(i)] : []));
    const homeGroups = columnsByGroup(training.flatMap(groupsOf));
    return shifted.flatMap((environment) => {
      const pairs: Omit<PoolPair, "testEnvironment">[] = [
        { id: home, ood: whole(environment) },
        ...(home.length > 1 ? home.map((id) => ({ id: [id], ood: whole(environment) })) : []),
        ...groupsOf(environment).map(({ column }) => ({ id: home, ood: column })),
        ...(groupPairs
          ? groupsOf(environment).flatMap(({ column }) => homeGroups.map((id) => ({ id, ood: column })))
          : []),
      ];
      return single ? pairs : pairs.map((pair) => ({ ...pair, testEnvironment: String(environment) }));
    });
  });
}

/** Columns of one group in several environments, together. */
function columnsByGroup(sets: readonly MeasuredSet[]): string[][] {
  const columns = new Map<string, string[]>();
  for (const { group, column } of sets) {
    const key = JSON.stringify(group);
    columns.set(key, [...(columns.get(key) ?? []), column]);
  }
  return [...columns.values()];
}
