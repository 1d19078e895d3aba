/** Spawrious: four breeds of dogs at six places, as `0/snow/bulldog/1.png`; the place is the shortcut. */

import { CuelabError } from "../core/errors.ts";
import { ImageFiles } from "../sources/image-folder.ts";
import { ReadColumn } from "./columns.ts";
import { environmentName, outParts } from "./domain-parts.ts";
import type { StoredDataset } from "./stored-dataset.ts";

const locations = ["beach", "desert", "dirt", "jungle", "mountain", "snow"];
const breeds = ["bulldog", "corgi", "dachshund", "labrador"];

/** The challenges of Lynch et al. 2023: places of bulldogs, dachshunds, labradors and corgis in training and in test. */
const challenges = {
  "spawrious-o2o-easy": {
    train: "desert jungle dirt snow",
    test: "dirt snow desert jungle",
    filler: "beach",
  },
  "spawrious-o2o-medium": {
    train: "mountain beach dirt jungle",
    test: "jungle dirt beach snow",
    filler: "desert",
  },
  "spawrious-o2o-hard": {
    train: "jungle mountain snow desert",
    test: "mountain snow desert jungle",
    filler: "beach",
  },
  "spawrious-m2m-easy": { train: "desert mountain dirt jungle", test: "dirt jungle mountain desert" },
  "spawrious-m2m-medium": { train: "beach snow mountain desert", test: "desert mountain beach snow" },
  "spawrious-m2m-hard": { train: "dirt jungle snow beach", test: "snow beach dirt jungle" },
} satisfies Record<string, Challenge>;

interface Challenge {
  train: string;
  test: string;
  /** In one-to-one challenges, where all breeds are seen at times. */
  filler?: string;
}

export type SpawriousChallenge = keyof typeof challenges;

export const spawriousChallenges = Object.keys(challenges) as SpawriousChallenge[];

/** Of a breed's images at its own place, and of those at the filler's, the share that a training environment has. */
const ownShares = [0.97, 0.87] as const;

/** DomainBed's names, in its order. */
const environments = ["Test", "SC_group_1", "SC_group_2"];

interface DogImage {
  path: string;
  half: string;
  location: string;
  breed: string;
}

const pattern = new RegExp(`(?:^|/)([01])/(${locations.join("|")})/(${breeds.join("|")})/[^/]+$`);

/** Undefined where these are other images. Without a challenge all of them, and no environments. */
export function readSpawrious(
  root: string,
  paths: readonly string[],
  challenge: SpawriousChallenge | undefined,
): StoredDataset | undefined {
  const dogs = paths.flatMap((path): DogImage[] => {
    const [, half, location, breed] = pattern.exec(path) ?? [];
    return half === undefined ? [] : [{ path, half, location: location!, breed: breed! }];
  });
  if (challenge === undefined && (dogs.length === 0 || dogs.length < paths.length)) return undefined;
  const environmentOf = challenge && environmentsOf(root, dogs, challenges[challenge]);
  const used = environmentOf ? dogs.filter(({ path }) => environmentOf.has(path)) : dogs;
  const parts = outParts(
    used.map(({ path, half, location, breed }) => {
      return { path, domain: environmentOf?.get(path) ?? location, name: `${half}/${location}/${breed}` };
    }),
  );
  const columns = new Map<string, ReadColumn>();
  const push = (name: string, value: string) => {
    const column = columns.get(name) ?? new ReadColumn(name);
    columns.set(name, column);
    column.push(value);
  };
  for (const { path, half, location, breed } of used) {
    const environment = environmentOf?.get(path);
    push("y", breed);
    push("split", environment === environments[0] ? "test" : parts.has(path) ? "val" : "train");
    push("location", location);
    push("half", half);
    if (environment !== undefined) push(environmentName, environment);
  }
  return {
    images: new ImageFiles(
      root,
      used.map(({ path }) => path),
    ),
    columns,
    labelColumn: "y",
    table: root,
    valueOrder: { y: breeds, ...(environmentOf && { [environmentName]: environments }) },
    roles: { half: "other", [environmentName]: "other" },
    ...(environmentOf && { statisticsBy: environmentName, shiftedSplits: ["test"] }),
    warnings: environmentOf
      ? [`${dogs.length - used.length} images of Spawrious are not part of ${challenge} and were left out`]
      : [`read as all of Spawrious; for one of its challenges: --layout ${spawriousChallenges.join(", ")}`],
  };
}

/** The environment of each image that a challenge has. */
function environmentsOf(root: string, dogs: readonly DogImage[], challenge: Challenge): Map<string, string> {
  // The papers' order of breeds is not the alphabet's.
  const order = ["bulldog", "dachshund", "labrador", "corgi"];
  const [train, test] = [challenge.train.split(" "), challenge.test.split(" ")];
  const found = new Map<string, string>();
  const lacking = new Set<string>();
  const place = (half: string, location: string, breed: string, environment: number, from = 0, to = 1) => {
    const there = dogs.filter((dog) => dog.half === half && dog.location === location && dog.breed === breed);
    if (there.length === 0) lacking.add(`${half}/${location}/${breed}`);
    const [first, last] = [from, to].map((share) => Math.floor(share * there.length)) as [number, number];
    for (const { path } of there.slice(first, last)) found.set(path, environments[environment]!);
  };
  for (const [i, breed] of order.entries()) {
    for (const [e, share] of ownShares.entries()) {
      if (challenge.filler === undefined) {
        // Many to many: pairs of breeds share two places, and exchange them between the environments.
        const at = e === 0 ? i : i ^ 1;
        place("0", train[at]!, breed, e + 1);
        place("0", test[at]!, breed, 0);
      } else {
        place(String(e), train[i]!, breed, e + 1, 0, share);
        place(String(e), challenge.filler, breed, e + 1, share, 1);
        place(String(e), test[i]!, breed, 0);
      }
    }
  }
  if (lacking.size > 0) throw lacksFolders(root, [...lacking]);
  return found;
}

function lacksFolders(root: string, folders: readonly string[]): CuelabError {
  const some = folders.slice(0, 4).join(", ");
  return new CuelabError({
    kind: "input",
    what: "folders that the challenge needs have no images",
    where: root,
    expected: "images such as 0/snow/bulldog/1.png",
    got: folders.length > 4 ? `none in ${some}, … (${folders.length} in all)` : `none in ${some}`,
    todo: "pass the folder that holds 0 and 1, with all places of this challenge",
  });
}
