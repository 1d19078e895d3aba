/** How commands print what an audit has found: text, JSON, a page. */

import { dirname } from "node:path";
import type { Command } from "commander";
import type { Answered } from "../audits/ask.ts";
import type { AuditHooks } from "../audits/audit.ts";
import { type FillOptions, fillFolder } from "../disk/fill-folder.ts";
import { makeFolder } from "../disk/make-folder.ts";
import { checkFree, writeWhole } from "../disk/write-whole.ts";
import type { AnswerPage } from "../reports/as-html.ts";
import { asText } from "../reports/as-text.ts";
import { addOutputOptions, type OutputOptions } from "./options.ts";
import type { Session } from "./program.ts";

export interface AnswerOptions extends OutputOptions {
  report?: string;
  force?: boolean;
}

export function addAnswerOptions(command: Command): Command {
  return addOutputOptions(command).option(
    "--report <page.html>",
    "also write the answer as a page in one file, with its figures",
  );
}

interface WriteAnswerOptions {
  /** Of the page, the text and the data. */
  name: string;
  out: string;
  filling: FillOptions;
  /** Further files, by their names. */
  more?: Readonly<Record<string, string>>;
}

/** Into a folder: page, text, data, and each table and figure by itself. */
export async function writeAnswer(
  answered: Answered,
  { name, out, filling, more = {} }: WriteAnswerOptions,
): Promise<void> {
  const { answerFiles } = await import("../reports/answer-files.ts");
  const files = await answerFiles({
    name,
    title: answered.audit.title,
    lead: leadOf(answered),
    inShort: answered.inShort(),
    sections: answered.sections(),
    answer: answered.data(),
  });
  await fillFolder(out, filling, async (write) => {
    for (const [path, content] of [...files, ...Object.entries({ ...more, ...answered.files() })])
      await write(path, content);
  });
}

/** A place that cannot be written to is told before hours of work. */
export async function checkReport({ report, force = false }: AnswerOptions): Promise<void> {
  if (report === undefined) return;
  await makeFolder(dirname(report));
  await checkFree(report, { overwrite: force });
}

/** Where one is asked for. */
export async function writePage(
  page: () => AnswerPage,
  { report, force = false, quiet }: AnswerOptions,
  console: Session["console"],
): Promise<void> {
  if (report === undefined) return;
  const { asHtml } = await import("../reports/as-html.ts");
  await writeWhole(report, await asHtml(page()), { overwrite: force });
  if (!quiet) console.note(`page in ${report}`);
}

export async function printAnswer(
  answered: Answered,
  options: AnswerOptions,
  { console }: Session,
): Promise<void> {
  await writePage(
    () => ({
      title: answered.audit.title,
      lead: leadOf(answered),
      inShort: answered.inShort(),
      sections: answered.sections(),
    }),
    options,
    console,
  );
  if (options.json) console.json(answered.data());
  else {
    // What a terminal shows last is read first.
    const last = { name: "in-short", heading: "In short", text: answered.inShort().join("\n") };
    const sections = [...answered.sections(), ...(last.text === "" ? [] : [last])];
    console.print(asText(sections, { bold: (text) => console.style("bold", text) }));
  }
}

function leadOf({ audit: { description, paper } }: Answered): string {
  const what = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  return paper === undefined ? what : `${what} After ${paper}.`;
}

const noteMs = 10_000;

/** A line that moves where the end is known, else a note now and then. */
export function answerHooks({ quiet }: OutputOptions, { console, signal }: Session): AuditHooks {
  if (quiet) return { signal };
  let line: ReturnType<typeof console.progress> | undefined;
  let label = "";
  let told = performance.now();
  return {
    signal,
    onProgress: (doing, done, total, unit) => {
      if (total !== undefined) {
        if (label !== doing) line = console.progress(doing, total, unit);
        label = doing;
        line?.update(done);
        if (done >= total) line?.stop();
      } else if (performance.now() - told > noteMs) {
        told = performance.now();
        console.note(`${doing}: ${done.toLocaleString("en")} ${unit}`);
      }
    },
  };
}
