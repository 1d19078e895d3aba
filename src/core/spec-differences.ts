/** In what the specs of runs differ, other than in seeds: only runs that differ in nothing else are seeds of one model. */

/** By which an outcome varies by chance, not by choice. */
const seeds = new Set(["seed", "data.seed", "data.environments.seed"]);

/** What names a run, or tells only where things lie. */
const told = /^(id|data\.path|data\.places(\..*)?|weights\.path)$/;

/** Every leaf of a spec that decides which model it makes, by its path, as text. Seeds decide only which draw of it. */
export function decidingLeaves(spec: unknown): Map<string, string> {
  return new Map([...leavesOf(spec)].filter(([path]) => !seeds.has(path) && !told.test(path)));
}

/** Every leaf of a spec by its path, as text. */
export function leavesOf(spec: unknown): Map<string, string> {
  const leaves = new Map<string, string>();
  collect(spec, "", leaves);
  return leaves;
}

/** Paths of leaves that are not the same in all specs. */
export function differingLeaves(leaves: readonly ReadonlyMap<string, string>[]): string[] {
  const paths = new Set(leaves.flatMap((each) => [...each.keys()]));
  return [...paths].filter((path) => new Set(leaves.map((each) => each.get(path))).size > 1);
}

function collect(tree: unknown, path: string, into: Map<string, string>): void {
  if (typeof tree === "object" && tree !== null && !Array.isArray(tree)) {
    for (const [name, value] of Object.entries(tree))
      collect(value, path === "" ? name : `${path}.${name}`, into);
  } else if (Array.isArray(tree)) {
    into.set(path, tree.map(nameOf).join(","));
    // Views of one list: each is told by its name, and its settings stand under it.
    for (const item of tree.filter(isView)) {
      const { view, version, with: settings } = item;
      collect({ version, ...settings }, `${path}.${view}`, into);
    }
  } else if (tree !== undefined) into.set(path, String(tree as string | number | boolean | null));
}

interface WrittenView {
  view: string;
  version?: number;
  with?: object;
}

function isView(item: unknown): item is WrittenView {
  return typeof item === "object" && item !== null && "view" in item && typeof item.view === "string";
}

/** Of a plugin what it is, not where it lies: two versions of a method are no seeds of one. */
function nameOf(item: unknown): string {
  if (isView(item)) return item.view;
  if (typeof item !== "object" || item === null) return String(item);
  return "digest" in item && typeof item.digest === "string" ? item.digest : JSON.stringify(item);
}

/** What is to be said of such seeds. */
export const sameImagesRemark =
  "all seeds have the same images: intervals over seeds do not tell what other images would give";

/** Whether several runs, seeds of one model, had the same images: then their spread says nothing of what others would give. */
export function haveSameImages(specs: readonly (Readonly<Record<string, unknown>> | undefined)[]): boolean {
  const data = specs.map((spec) => (spec?.data === undefined ? undefined : imagesOf(spec)));
  return data.length > 1 && data[0] !== undefined && data.every((each) => each === data[0]);
}

/** All that decides which images there are; where they lie does not. */
function imagesOf(spec: Readonly<Record<string, unknown>>): string {
  const leaves = [...leavesOf({ data: spec.data })].filter(([path]) => !told.test(path));
  return JSON.stringify(leaves.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
