/** Which attributes of a prediction table are cues, which make the groups, and what has to be counted for that. */

import { CuelabError } from "../../core/errors.ts";
import { classAttribute, classWord, namedTwice } from "../../core/group-axes.ts";
import type { Grouping } from "../../core/grouping.ts";
import { nearest } from "../../core/nearest.ts";
import type { PredictionsAbout } from "../../core/predictions-about.ts";
import { attributesIn, type TalliedGrouping } from "../../metrics/groups.ts";
import type { ReferenceErrors } from "../../metrics/relative-errors.ts";
import type { ColumnRoles } from "../../predictions/roles.ts";
import type { PredictionTable } from "../../predictions/table.ts";

/** What people choose; everything else follows from the table. */
export interface AttributeChoice {
  cues?: readonly string[] | undefined;
  /** Attributes, and `class` for the class itself. */
  groups?: readonly string[] | undefined;
  /** Attributes of yes and no; each makes a group by class. */
  overlapping?: readonly string[] | undefined;
  /** Within each value of it, answers are cut into head and tail. */
  localGroup?: string | undefined;
  /** Errors of another network, by these attributes. */
  reference?: ReferenceErrors | undefined;
}

export interface EvaluationPlan {
  cues: readonly string[];
  grouping: TalliedGrouping;
  /** Nobody chose the groups: they are class and cues. */
  groupsAreUsual: boolean;
  localGroup: string | undefined;
  reference: ReferenceErrors | undefined;
  /** A column of yes and no that tells the majority, by cue. */
  majorityColumns: ReadonlyMap<string, string>;
  /** Every attribute that has to be counted. */
  counted: readonly string[];
  /** Attributes that nobody chose: they are dropped where they have too many values. */
  unchosen: ReadonlySet<string>;
}

export function evaluationPlan(
  table: PredictionTable,
  { attributes, label }: ColumnRoles,
  choice: AttributeChoice,
  about: PredictionsAbout | undefined,
): EvaluationPlan {
  const known = (names: readonly string[], flag: string) =>
    names.map((name) => (attributes.includes(name) ? name : unknown(table, attributes, name, flag)));
  const majorityColumn = (cue: string) =>
    [`${cue}Majority`, `${cue}_majority`].find((name) => attributes.includes(name));
  const tellsMajority = new Set(attributes.map(majorityColumn));
  const usual =
    table.suggested?.groups || table.suggested?.overlapping
      ? []
      : attributes
          .filter((name) => (about ? about.attributes.get(name)?.role === "cue" : !tellsMajority.has(name)))
          // Nobody chose it, so it stops nobody: a remark says that it is left out.
          .filter((name) => name !== classWord);
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
  const isClass = (name: string) => name === label || name === classWord;
  const by = (names: readonly string[], flag: string): string[] => {
    const where = `${flag}, ${table.path}`;
    if (names.includes(classWord) && attributes.includes(classWord)) throw classAttribute(where);
    const others = known(
      names.filter((name) => !isClass(name)),
      flag,
    );
    const repeated = others.find((name, i) => others.indexOf(name) !== i);
    if (repeated !== undefined) throw namedTwice(repeated, where);
    return names.some(isClass) ? [classWord, ...others] : others;
  };
  const besideClass = (names: readonly string[], flag: string) => [classWord, ...by(names, flag)];
  const grouping: Grouping = overlapping
    ? { by: besideClass(overlapping, "--overlapping"), overlapping: true }
    : { by: groups ? by(groups, "--groups") : besideClass(cues, "--cues") };
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
  const { reference } = choice;
  const ofReference = known(reference?.attributes ?? [], "--reference-errors");
  const asked = [
    ...attributesIn(grouping),
    ...(localGroup === undefined ? [] : [localGroup]),
    ...ofReference,
  ];
  return {
    cues,
    grouping,
    groupsAreUsual: overlapping === undefined && groups === undefined,
    localGroup,
    reference,
    majorityColumns,
    counted: [...new Set([...cues, ...asked, ...majorityColumns.values()])],
    unchosen: new Set(
      choice.cues || about
        ? []
        : cues.filter((cue) => !choice.groups?.includes(cue) && !ofReference.includes(cue)),
    ),
  };
}

/** Fewer groups than these can be read, or skipped, one by one. */
const mostUsualGroups = 500;

/**
 * All cues crossed, where there are more groups than images: most groups would be of one image, and the worst of them says
 * nothing. Then the class goes with one cue at a time, unless somebody chose otherwise. With what to say of it.
 */
export function readableGroups(
  plan: EvaluationPlan,
  { nominal, images }: { nominal: number; images: number },
): { plan: EvaluationPlan; remark?: string } {
  const cues = attributesIn(plan.grouping);
  if (!plan.groupsAreUsual || cues.length < 2 || nominal <= Math.max(mostUsualGroups, images))
    return { plan };
  const count = (n: number) => n.toLocaleString("en");
  return {
    plan: { ...plan, grouping: { ...plan.grouping, oneByOne: true } },
    remark: `class × ${cues.length} cues are ${count(nominal)} groups for ${count(images)} images: groups are of class and one cue at a time, and the worst is of these; --groups crosses those that it names`,
  };
}

/** The plan without attributes that turned out to have too many values. */
export function withoutAttributes(plan: EvaluationPlan, dropped: ReadonlySet<string>): EvaluationPlan {
  const kept = (names: readonly string[]) => names.filter((name) => !dropped.has(name));
  return {
    ...plan,
    cues: kept(plan.cues),
    grouping: { ...plan.grouping, by: kept(plan.grouping.by) },
  };
}

function unknown(
  { path, remarks }: PredictionTable,
  attributes: readonly string[],
  name: string,
  flag: string,
): never {
  // The file may hold it in a form that is not read, and the table says so.
  const got = remarks.find((remark) => remark.includes(`"${name}" is not used`));
  const close = nearest(name, attributes);
  throw new CuelabError({
    kind: "usage",
    what: `the table has no attribute "${name}"`,
    where: `${flag}, ${path}`,
    expected: attributes.length === 0 ? "a table with attributes" : `one of: ${attributes.join(", ")}`,
    ...(got !== undefined && { got }),
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
