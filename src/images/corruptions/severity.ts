/** How strong a corruption is: the five steps of ImageNet-C. */

export const severities = [1, 2, 3, 4, 5] as const;

export type Severity = (typeof severities)[number];

export function severityOf<Value>(steps: readonly Value[], severity: Severity): Value {
  return steps[severity - 1]!;
}
