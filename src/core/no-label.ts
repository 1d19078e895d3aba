/** Images that nobody has labelled. */

/** Stands where they would have a class. */
export const noLabel = "(no label)";

export function isUnlabelled({ classNames }: { classNames: readonly string[] }): boolean {
  return classNames.length === 1 && classNames[0] === noLabel;
}
