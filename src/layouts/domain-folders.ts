/** Folders of domains with folders of classes in each: `art_painting/dog/1.jpg`, as DomainBed and folders of sites have it. */

import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { isSplitAlias } from "../core/split-names.ts";
import { ImageFiles } from "../sources/image-folder.ts";
import { ReadColumn } from "./columns.ts";
import { environmentName, outParts } from "./domain-parts.ts";
import { readSpawrious, spawriousChallenges } from "./spawrious-folders.ts";
import type { StoredDataset } from "./stored-dataset.ts";

/** What the folders above an image mean, from the outermost. */
export const folderLayouts = ["class", "domain-class", ...spawriousChallenges] as const;

export type FolderLayout = (typeof folderLayouts)[number];

interface PlacedImage {
  path: string;
  /** From the domain on, without folders of splits. */
  folders: readonly string[];
  split: string | undefined;
}

/** Undefined where the first folders are classes; `asked` overrules what the names say. */
export function readDomains(
  root: string,
  paths: readonly string[],
  asked: FolderLayout | undefined,
): StoredDataset | undefined {
  if (asked === "class") return undefined;
  if (asked !== "domain-class") {
    const dogs = readSpawrious(root, paths, asked);
    if (dogs) return dogs;
  }
  const { wrapper, placed } = placedImages(paths);
  const [deep, shallow] = [
    placed.filter(({ folders }) => folders.length > 1),
    placed.filter(({ folders }) => folders.length < 2),
  ];
  if (asked === "domain-class" && deep.length === 0) throw noDomains(root, paths);
  if (asked === undefined && (shallow.length > 0 || !looksLikeDomains(deep))) return undefined;
  const columns = new Map(["y", "split", environmentName].map((name) => [name, new ReadColumn(name)]));
  const out = deep.some(({ split }) => split !== undefined)
    ? undefined
    : outParts(deep.map(({ path, folders }) => ({ path, domain: folders[0]!, name: folders.join("/") })));
  for (const { path, folders, split } of deep) {
    lookUp(columns, "y").push(folders[1]!);
    lookUp(columns, environmentName).push(folders[0]!);
    lookUp(columns, "split").push(split ?? (out?.has(path) ? "val" : "train"));
  }
  const domains = lookUp(columns, environmentName).values;
  return {
    images: new ImageFiles(
      root,
      deep.map(({ path }) => path),
    ),
    columns,
    labelColumn: "y",
    table: wrapper === "" ? root : `${root}/${wrapper}`,
    roles: { [environmentName]: "other" },
    statisticsBy: environmentName,
    splitsAreOurs: out !== undefined,
    warnings: [
      `the first folders were taken for domains (${some(domains)}), which the attribute ${environmentName} tells, ` +
        "and those in them for classes; --layout class takes the first ones for classes",
      ...(out ? [`no folders of splits: of each domain a fifth, chosen by file name, is split val`] : []),
      ...(shallow.length === 0
        ? []
        : [
            `${shallow.length} images lie in no domain's class and were left out, such as ${shallow[0]!.path}`,
          ]),
    ],
  };
}

/** Folders that hold everything, such as `PACS/kfold`, are passed through; splits may stand above or below the domain. */
function placedImages(paths: readonly string[]): { wrapper: string; placed: PlacedImage[] } {
  const above = paths.map((path) => path.split("/").slice(0, -1));
  let depth = 0;
  const common = () => {
    const name = above[0]?.[depth];
    if (name === undefined || isSplitAlias(name)) return undefined;
    return above.every((folders) => folders.length > depth + 2 && folders[depth] === name) ? name : undefined;
  };
  while (common() !== undefined) depth++;
  const placed = paths.map((path, i) => {
    const folders = above[i]!.slice(depth);
    const at = folders.slice(0, 2).findIndex(isSplitAlias);
    const [split] = at < 0 ? [] : folders.splice(at, 1);
    return { path, folders, split };
  });
  return { wrapper: above[0]?.slice(0, depth).join("/") ?? "", placed };
}

/** Kinds of files, not classes: `covid/images`, `covid/masks`. */
const kinds = /^(images?|imgs?|masks?|labels?|annotations?|segmentations?)$/i;

/** Several domains, and at least half of the classes in two of them or more. */
function looksLikeDomains(images: readonly PlacedImage[]): boolean {
  const domains = new Set<string>();
  const domainsOf = new Map<string, Set<string>>();
  for (const { folders } of images) {
    const [domain, label] = folders as [string, string];
    domains.add(domain);
    const known = domainsOf.get(label);
    if (known) known.add(domain);
    else domainsOf.set(label, new Set([domain]));
  }
  if (domains.size < 2 || domainsOf.size < 2 || [...domainsOf.keys()].some((name) => kinds.test(name)))
    return false;
  const shared = [...domainsOf.values()].filter(({ size }) => size > 1).length;
  return 2 * shared >= domainsOf.size;
}

function some(names: readonly string[]): string {
  return names.length <= 4 ? names.join(", ") : `${names.slice(0, 3).join(", ")}, … ${names.length} in all`;
}

function noDomains(root: string, paths: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "there are no domains with folders of classes",
    where: root,
    expected: "images such as art_painting/dog/1.jpg",
    got: paths.length === 0 ? "no images" : paths[0]!,
    todo: "leave out --layout domain-class, or pass the folder that holds the domains",
  });
}
