/** What every audit must keep: words for people, one answer to one question, and the same answer in every form. */

import { answerOf } from "../audits/ask.ts";
import type { AnyAudit } from "../audits/audit.ts";
import { drawChart } from "../charts/chart.ts";
import { CuelabError } from "../core/errors.ts";
import { figuresOf, galleriesOf, type Section, tablesOf } from "../core/section.ts";
import { describeSettings, parseAssignments } from "../core/settings.ts";
import { asCsv } from "../reports/as-csv.ts";
import { asHtml } from "../reports/as-html.ts";
import { asLatex } from "../reports/as-latex.ts";
import { asMarkdown } from "../reports/as-markdown.ts";
import { asText } from "../reports/as-text.ts";
import { auditedThings } from "./audited-things.ts";
import { type Check, must } from "./check.ts";
import { markupOfNames, steering } from "./hostile-names.ts";

export interface AuditCheckOptions {
  /** What of the question must be given, as `key=value`. */
  set?: readonly string[];
  /** Where tables to look at are written. */
  folder: string;
}

export function auditChecks(audit: AnyAudit, { set = [], folder }: AuditCheckOptions): Check[] {
  const question = () => parseAssignments(audit.question, set);
  const asked = async (names: "plain" | "hostile" = "plain") => {
    const subject = await auditedThings(audit.of, folder, names);
    return answerOf(audit, question(), subject as never);
  };
  return [
    {
      name: "each part of its question has a description",
      run: () => {
        for (const { key, description } of describeSettings(audit.question))
          must(description !== "", `nothing says what "${key}" is`);
      },
    },
    {
      name: "an unknown part of a question is refused by its name",
      run: async () => {
        const subject = await auditedThings(audit.of, folder);
        const cause: unknown = await answerOf(
          audit,
          { ...question(), "no-such-part": 1 },
          subject as never,
        ).then(
          () => undefined,
          (error: unknown) => error,
        );
        must(
          cause instanceof CuelabError && cause.message.includes("no-such-part"),
          "a question with a part that it does not have was answered, or refused without a word",
        );
      },
    },
    {
      name: "equal questions have equal answers, which are plain data",
      run: async () => {
        const [once, again] = [(await asked()).data(), (await asked()).data()];
        must(JSON.stringify(once) === JSON.stringify(again), "asked twice, it answers otherwise");
        mustBePlain(once, "the answer");
      },
    },
    {
      name: "the answer has every form: text, page, Markdown, LaTeX, CSV, figures",
      run: async () => {
        const sections = (await asked()).sections();
        must(sections.length > 0, "nothing is shown of the answer");
        mustHaveNames(sections);
        must(asText(sections).trim() !== "", "nothing is printed");
        await asHtml({ title: audit.title, lead: audit.description, sections });
        asMarkdown(sections);
        for (const table of tablesOf(sections)) {
          asLatex(table);
          asCsv(table);
          for (const { cells } of table.rows)
            must(
              cells.length === table.columns.length,
              `a row of the table ${table.name} has a wrong length`,
              {
                expected: String(table.columns.length),
                got: String(cells.length),
              },
            );
        }
        for (const figure of figuresOf(sections)) {
          must(figure.caption !== "", `the figure ${figure.name} has no caption`);
          must(
            (await drawChart(figure.draw())).startsWith("<svg"),
            `the figure ${figure.name} is no picture`,
          );
        }
      },
    },
    {
      name: "names from files are shown as text, whatever they hold",
      run: async () => {
        const sections = (await asked("hostile")).sections();
        const page = await asHtml({ title: audit.title, lead: audit.description, sections });
        must(!markupOfNames.test(page), "a name became a part of the page");
        must(!steering.test(page), "a name turns the page's text");
        must(!steering.test(asText(sections)), "a name moves the cursor");
        const markdown = asMarkdown(sections);
        must(!/(?<!\\)[<`]/.test(markdown), "a name became a part of the Markdown");
        for (const table of tablesOf(sections))
          must(!steering.test(asLatex(table)), "a name became a part of the LaTeX");
      },
    },
  ];
}

/** Files and links are called by them. */
function mustHaveNames(sections: readonly Section[]): void {
  const lists = {
    sections,
    tables: tablesOf(sections),
    figures: [...figuresOf(sections), ...galleriesOf(sections)],
  };
  for (const [kind, entries] of Object.entries(lists)) {
    const names = entries.map(({ name }) => name);
    must(new Set(names).size === names.length, `two ${kind} have one name`, { got: names.join(", ") });
    must(!names.includes(""), `one of the ${kind} has no name`);
  }
}

/** Nothing that JSON would change without a word. */
function mustBePlain(value: unknown, where: string): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    must(Number.isFinite(value), `${where} is ${value}, which JSON would write as null`);
    return;
  }
  must(typeof value === "object", `${where} is a ${typeof value}, which JSON leaves out`);
  must(
    Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype,
    `${where} is neither a list nor a record`,
    { todo: "make plain data of it in `data`" },
  );
  for (const [key, inner] of Object.entries(value))
    if (inner !== undefined) mustBePlain(inner, `${where}.${key}`);
}
