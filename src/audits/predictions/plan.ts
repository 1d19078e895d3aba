/** Which attributes of a prediction table are cues, which make the groups, and what has to be counted for that. */

import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import type { PredictionsAbout } from "../../core/predictions-about.ts";
import type { ColumnRoles } from "../../formats/predictions/roles.ts";
import type { PredictionTable } from "../../formats/predictions/table.ts";
import type { Grouping } from "../../metrics/groups.ts";

/** What people choose; everything else follows from the table. */
export interface AttributeChoice {
  cues?: readonly string[] | undefined;
  /** Attributes, and `class` for the class itself. */
  groups?: readonly string[] | undefined;
  /** Attributes of yes and no; each makes a group by class. */
  overlapping?: readonly string[] | undefined;
  /** Within each value of it, answers are cut into head and tail. */
  localGroup?: string | undefined;
}

export interface Plan {
  cues: readonly string[];
  grouping: Grouping;
  localGroup: string | undefined;
  /** A column of yes and no that tells the majority, by cue. */
  majorityColumns: ReadonlyMap<string, string>;
  /** Every attribute that has to be counted. */
  counted: readonly string[];
  /** Attributes that nobody chose: they are dropped where they have too many values. */
  unchosen: ReadonlySet<string>;
}

/** The word for the class among the attributes of a group. */
const classWord = "class";

export function planOf(
  table: PredictionTable,
  { attributes, label }: ColumnRoles,
  choice: AttributeChoice,
  about: PredictionsAbout | undefined,
): Plan {
  const known = (names: readonly string[], flag: string) =>
    names.map((name) => (attributes.includes(name) ? name : unknown(table, attributes, name, flag)));
  const majorityColumn = (cue: string) =>
    [`${cue}Majority`, `${cue}_majority`].find((name) => attributes.includes(name));
  const tellsMajority = new Set(attributes.map(majorityColumn));
  const usual =
    table.suggested?.groups || table.suggested?.overlapping
      ? []
      : attributes.filter((name) =>
          about ? about.attributes.get(name)?.role === "cue" : !tellsMajority.has(name),
        );
  const cues = choice.cues ? known(choice.cues, "--cues") : usual;
  const chosen = choice.groups ?? choice.overlapping;
  const overlapping = choice.overlapping
    ? known(choice.overlapping, "--overlapping")
    : chosen === undefined
      ? table.suggested?.overlapping
      : undefined;
  const groups = choice.groups ?? table.suggested?.groups;
  if (choice.overlapping && choice.groups) {
    throw new CuelabError({
      kind: "usage",
      what: "--groups and --overlapping are two ways to make groups",
      todo: "choose one of them",
    });
  }
  // A table may call its classes "class"; an attribute of that name would be something else.
  const isClass = (name: string) => name === label || (name === classWord && !attributes.includes(classWord));
  const grouping: Grouping = overlapping
    ? { attributes: overlapping, byClass: true, overlapping: true }
    : groups
      ? {
          attributes: known(
            groups.filter((name) => !isClass(name)),
            "--groups",
          ),
          byClass: groups.some(isClass),
          overlapping: false,
        }
      : { attributes: cues, byClass: true, overlapping: false };
  const localGroup =
    choice.localGroup === undefined
      ? table.suggested?.localGroup
      : known([choice.localGroup], "--head-tail")[0];
  const majorityColumns = new Map(
    cues.flatMap((cue) => {
      const column = majorityColumn(cue);
      return column === undefined ? [] : [[cue, column] as const];
    }),
  );
  const asked = [...grouping.attributes, ...(localGroup === undefined ? [] : [localGroup])];
  return {
    cues,
    grouping,
    localGroup,
    majorityColumns,
    counted: [...new Set([...cues, ...asked, ...majorityColumns.values()])],
    unchosen: new Set(choice.cues || about ? [] : cues.filter((cue) => !choice.groups?.includes(cue))),
  };
}

/** The plan without attributes that turned out to have too many values. */
export function withoutAttributes(plan: Plan, dropped: ReadonlySet<string>): Plan {
  const kept = (names: readonly string[]) => names.filter((name) => !dropped.has(name));
  return {
    ...plan,
    cues: kept(plan.cues),
    grouping: { ...plan.grouping, attributes: kept(plan.grouping.attributes) },
  };
}

function unknown(
  { path }: PredictionTable,
  attributes: readonly string[],
  name: string,
  flag: string,
): never {
  const close = nearest(name, attributes);
  throw new CuelabError({
    kind: "usage",
    what: `the table has no attribute "${name}"`,
    where: `${flag}, ${path}`,
    expected: attributes.length === 0 ? "a table with attributes" : `one of: ${attributes.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
