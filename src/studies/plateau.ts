/**
 * Whether a method has been trained long enough to be compared: validation accuracy must have come to rest. One that has not is
 * untrained, and never ranked. For all studies.
 */

/** For plans; `what` says of which validation images. */
export function plateauRule(what: string): string {
  return (
    `a method is untrained, and in no comparison, where ${what} still rises by a point or more: mean of the last fifth of the ` +
    "epochs less that of the fifth before, mean over seeds; also where there are fewer than five epochs"
  );
}
