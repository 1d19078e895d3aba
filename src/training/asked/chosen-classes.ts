/** A model's classes as people name, choose and join them: names from a file, some alone, or groups of them. */

import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { AskedModel, FeaturesOfModel } from "./asked-model.ts";
import { isEmbedding } from "./choose-output.ts";
import { readClassFile, readClassList, readClassMap } from "./class-file.ts";

export interface ClassWords {
  /** A file of names, in the order of the model's outputs. */
  classes?: string | undefined;
  /** A file that lists those which may be predicted; the logits of all others are left away. */
  subset?: string | undefined;
  /** A file of groups: what is predicted is the group of the class that wins. */
  superclasses?: string | undefined;
}

/** Where no group has a class: it can win, and is never right. */
const outsideGroups = "other classes";

export async function withChosenClasses(model: AskedModel, words: ClassWords): Promise<AskedModel> {
  const { classes, subset, superclasses } = words;
  const { forClasses } = model;
  if (forClasses !== undefined && classes === undefined)
    return {
      ...model,
      forClasses: async (...names) => withChosenClasses(await forClasses(...names), { subset, superclasses }),
    };
  const named = classes === undefined ? model : await withNames(model, classes);
  const some = subset === undefined ? named : await onlySome(named, subset);
  return superclasses === undefined ? some : joined(some, superclasses);
}

async function withNames(model: AskedModel, file: string): Promise<AskedModel> {
  const classes = await readClassFile(file);
  const names = classes.map(({ name }) => name);
  const aliases = classes.map(({ aliases: own }, code) => [...own, String(code)]);
  if (model.forClasses !== undefined) return model.forClasses(names, aliases);
  if (model.classes !== undefined && model.classes !== classes.length)
    throw new CuelabError({
      kind: "input",
      what: `${file} names another number of classes than ${model.name} tells apart`,
      expected: `${model.classes} classes`,
      got: `${classes.length}`,
      todo: isEmbedding(model.output ?? "")
        ? `its output "${model.output}" is named as embeddings are: of a model of images and texts give --prompts or --text-embeddings`
        : model.classes === classes.length + 1
          ? "networks of TensorFlow have a class before all others: begin the file with a line 'background'"
          : "name every output, in their order; or choose another output with --output",
    });
  return { ...model, classNames: names, classAliases: aliases };
}

async function onlySome(model: AskedModel, file: string): Promise<AskedModel> {
  const find = finder(model, file);
  const codes = [...new Set((await readClassList(file)).map(find))].sort((a, b) => a - b);
  if (codes.length < 2)
    throw new CuelabError({ kind: "input", what: "a subset wants two classes or more", where: file });
  const { features } = model;
  return {
    ...withColumns(model, codes.length, (row, out) => {
      for (const [k, code] of codes.entries()) out[k] = row[code]!;
    }),
    ...(features && {
      features: (layer?: string) => features(layer).then((found) => headOfSome(found, codes)),
    }),
    classNames: codes.map((code) => namesOf(model)[code]!),
    classAliases: codes.map((code) => model.classAliases?.[code] ?? [String(code)]),
  };
}

function headOfSome({ head, ...found }: FeaturesOfModel, codes: readonly number[]): FeaturesOfModel {
  if (head === undefined) return { ...found, head };
  const { width } = found;
  const weight = new Float32Array(codes.length * width);
  for (const [k, code] of codes.entries())
    weight.set(head.weight.subarray(code * width, (code + 1) * width), k * width);
  return { ...found, head: { ...head, weight, bias: Float32Array.from(codes, (code) => head.bias[code]!) } };
}

/** The largest logit of a group's classes is the group's: it wins where the class that wins is one of its own. */
async function joined(model: AskedModel, file: string): Promise<AskedModel> {
  const find = finder(model, file);
  const names = namesOf(model);
  const [groups, groupOf] = [new Map<string, number>(), new Int32Array(names.length).fill(-1)];
  const members = new Map<string, string[]>();
  for (const [member, group] of await readClassMap(file)) {
    if (group === "-1") continue;
    if (!groups.has(group)) groups.set(group, groups.size);
    const code = find(member);
    groupOf[code] = groups.get(group)!;
    members.set(group, [...(members.get(group) ?? []), names[code]!, ...(model.classAliases?.[code] ?? [])]);
  }
  const isWhole = groupOf.every((group) => group !== -1);
  const all = [...groups.keys(), ...(isWhole ? [] : [outsideGroups])];
  return {
    ...withColumns(model, all.length, (row, out) => {
      out.fill(Number.NEGATIVE_INFINITY);
      for (const [code, logit] of row.entries()) {
        const group = groupOf[code] === -1 ? groups.size : groupOf[code]!;
        if (logit > out[group]!) out[group] = logit;
      }
    }),
    classNames: all,
    classAliases: all.map((group) => members.get(group) ?? []),
  };
}

function withColumns(
  model: AskedModel,
  width: number,
  pick: (row: Float32Array, out: Float32Array) => void,
): AskedModel {
  const { network: _, features: __, ...rest } = model;
  return {
    ...rest,
    classes: width,
    async open(options) {
      const session = await model.open(options);
      return {
        async logits(images, count) {
          const given = await session.logits(images, count);
          const [before, out] = [given.length / count, new Float32Array(count * width)];
          for (let i = 0; i < count; i++)
            pick(given.subarray(i * before, (i + 1) * before), out.subarray(i * width, (i + 1) * width));
          return out;
        },
        close: () => session.close(),
      };
    },
  };
}

function namesOf({ classNames, classes = 0 }: AskedModel): readonly string[] {
  return classNames ?? Array.from({ length: classes }, (_, code) => String(code));
}

/** By name, by another name, or by number. */
function finder(model: AskedModel, where: string): (given: string) => number {
  const names = namesOf(model);
  const codes = new Map<string, number>();
  for (const code of names.keys()) codes.set(String(code), code);
  for (const [code, aliases = []] of (model.classAliases ?? []).entries())
    for (const name of aliases) codes.set(name, code);
  for (const [code, name] of names.entries()) codes.set(name, code);
  return (given) => {
    const found = codes.get(given);
    if (found !== undefined) return found;
    throw new CuelabError({
      kind: "input",
      what: `${model.name} has no class "${given}"`,
      where,
      expected: `one of ${names.length} classes, by name or number`,
      ...(model.classNames === undefined
        ? { todo: "name its classes with --classes" }
        : didYouMean(given, [...codes.keys()])),
    });
  };
}

/** For each class of the data, which of the model's it is: by name, by another name, or, where all are numbers, by number. */
export function codesOfClasses(
  {
    classNames = [],
    classAliases = [],
    classes = classNames.length,
  }: Pick<AskedModel, "classNames" | "classAliases" | "classes">,
  given: readonly string[],
): (number | undefined)[] {
  const byName = new Map(classNames.map((name, code) => [name, code]));
  const byAlias = new Map(classAliases.flatMap((names, code) => names.map((name) => [name, code] as const)));
  const isNumber = given.every((name) => /^\d+$/.test(name) && Number(name) < classes);
  return given.map((name) => {
    const found = byName.get(name) ?? (isNumber && !byAlias.has(name) ? Number(name) : byAlias.get(name));
    return found;
  });
}
