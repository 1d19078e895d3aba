/** GQA-OOD's files: a list of answered questions, and questions with their true answers and groups. */

import { basename } from "node:path";
import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { MemoryColumn } from "../tables/memory-column.ts";
import type { PredictionTable } from "./table.ts";

/** As GQA's own evaluation reads them. */
const predictionsSchema = z.array(
  z.object({ questionId: z.union([z.string(), z.number()]).transform(String), prediction: z.string() }),
);

const questionsSchema = z.record(
  z.string(),
  z.object({
    answer: z.string(),
    groups: z.object({ global: z.string().nullish(), local: z.string().nullish() }).optional(),
    types: z.object({ structural: z.string().nullish(), semantic: z.string().nullish() }).optional(),
    isBalanced: z.boolean().optional(),
  }),
);

const columns = ["id", "y_true", "y_pred", "global", "local", "structural", "semantic"] as const;

/**
 * One row a question, with `global` and `local` group. Questions from files named `…_head.json` and `…_tail.json` also
 * have a column `part`. As in GQA's evaluation, unbalanced questions do not count, and predictions of other questions
 * are passed over.
 */
export async function openGqaTable(path: string, questionPaths: readonly string[]): Promise<PredictionTable> {
  const predictions = new Map(
    (await parsed(path, predictionsSchema, "a list of {questionId, prediction}")).map(
      ({ questionId, prediction }) => [questionId, prediction],
    ),
  );
  const cells = new Map<string, (string | null)[]>([...columns, "part"].map((name) => [name, []]));
  const seen = new Set<string>();
  let unbalanced = 0;
  for (const questionPath of questionPaths) {
    const questions = await parsed(questionPath, questionsSchema, "questions by id, each with its answer");
    for (const [id, { answer, groups, types, isBalanced = true }] of Object.entries(questions)) {
      if (!isBalanced) {
        unbalanced++;
        continue;
      }
      const prediction = predictions.get(id);
      if (prediction === undefined) throw unanswered(path, questionPath, id);
      if (seen.has(id)) throw twice(questionPath, id);
      seen.add(id);
      const row: Record<string, string | null | undefined> = {
        id,
        y_true: answer,
        y_pred: prediction,
        global: groups?.global,
        local: groups?.local,
        structural: types?.structural,
        semantic: types?.semantic,
        part: partOf(questionPath),
      };
      for (const [name, column] of cells) column.push(row[name] ?? null);
    }
  }
  const others = predictions.size - seen.size;
  const inParts = questionPaths.every((questionPath) => partOf(questionPath) !== null);
  return {
    path,
    columns: inParts ? [...cells.keys()] : [...columns],
    rows: seen.size,
    // Groups of single answers would be too small to say anything.
    suggested: { localGroup: "local", groups: [inParts ? "part" : "global"] },
    remarks: [
      ...(unbalanced > 0 ? [`${unbalanced} unbalanced questions do not count`] : []),
      ...(others > 0 ? [`${others} predictions are of questions that are not in the files`] : []),
    ],
    async *batches(wanted) {
      if (seen.size === 0) return;
      const columns = wanted.map((request) => {
        const texts = lookUp(cells, request.name).map((cell) => cell ?? "");
        return new MemoryColumn(request).of(texts, 1);
      });
      yield { first: 1, count: seen.size, columns };
    },
  };
}

/** Whether rows are answers to questions, with nothing to tell whether they are right. */
export function isGqaTable({ columns }: { columns: readonly string[] }): boolean {
  return ["questionId", "prediction"].every((name) => columns.includes(name)) && !columns.includes("y_true");
}

function partOf(path: string): string | null {
  return /_(head|tail)\.json$/.exec(basename(path))?.[1] ?? null;
}

async function parsed<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  expected: string,
): Promise<z.output<Schema>> {
  let json: unknown;
  try {
    json = JSON.parse(await readPlainText(path));
  } catch (cause) {
    const got = (cause as Error).message;
    throw new CuelabError({ kind: "input", what: "the file cannot be read", where: path, got, cause });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new CuelabError({
    kind: "input",
    what: "the file is not in GQA's form",
    where: path,
    expected,
    got: `${issue!.path.join(".") || "the whole file"}: ${issue!.message}`,
  });
}

function unanswered(path: string, questions: string, id: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `question ${id} has no prediction`,
    where: path,
    expected: `a prediction for each question of ${questions}`,
  });
}

function twice(path: string, id: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `question ${id} occurs in two of the question files`,
    where: path,
    todo: "give the file of all questions, or those of head and tail",
  });
}
