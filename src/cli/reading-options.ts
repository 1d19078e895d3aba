/** How images of one's own are read: columns, folders, size and splits, as options of every command that opens a dataset. */

import type { Command } from "commander";
import { fits } from "../images/fit.ts";
import type { ColumnMapping, ColumnWords } from "../layouts/column-mapping.ts";
import { type FolderLayout, folderLayouts } from "../layouts/domain-folders.ts";
import { type Preparation, preparationOf } from "../layouts/preparation.ts";
import type { DataReading } from "../training/named-data.ts";
import { choice, given, list, number, wholeNumber } from "./options.ts";

export interface ReadingOptions extends Preparation {
  imageColumn?: string;
  labelColumn?: string;
  splitColumn?: string;
  cueColumns?: string[];
  layout?: FolderLayout;
}

/** The same where a command looks at something else first, such as tables with columns and splits of their own. */
export type ReadingOfData = {
  [Key in keyof ReadingOptions as `data${Capitalize<Key>}`]: ReadingOptions[Key];
};

/** With `ofData`, each is named after --data, whose images they are about. */
export function addReading(command: Command, { ofData = false } = {}): Command {
  const long = ofData ? "--data-" : "--";
  const split = `${long}split`;
  return command
    .option(
      `${long}image-column <name>`,
      "column with the image's path (default: img_filename, file_name, …)",
    )
    .option(`${long}label-column <name>`, "column with the class (default: y, label)")
    .option(`${long}split-column <name>`, "column with the split (default: split)")
    .option(
      `${long}cue-columns <names>`,
      "columns with possible shortcuts, by commas (default: all with few values)",
      list,
    )
    .addOption(
      choice(`${long}layout <kind>`, "what folders mean, where their names do not tell", folderLayouts),
    )
    .option(
      `${long}size <pixels>`,
      "bring your own images to squares of so many pixels",
      wholeNumber(1, 8192),
    )
    .addOption(choice(`${long}fit <how>`, "for images that are no squares (default: crop)", fits))
    .option(
      `${split} <shares>`,
      "divide your own images into train, val and test, such as 0.8,0.1,0.1, by what is in their files",
      (text) => list(text).map(number),
    )
    .option(`${long}stratify`, `with ${split}: exactly these shares of every class`)
    .option(
      `${long}split-by <column>`,
      `with ${split}: images of one value, such as a patient's, stay together`,
    );
}

/** What these options say, without those that were not given; checked. */
export function readingOf(options: ReadingOptions): DataReading {
  const { imageColumn, labelColumn, splitColumn, cueColumns, layout } = options;
  const columns: ColumnWords = given({
    image: imageColumn,
    label: labelColumn,
    split: splitColumn,
    cues: cueColumns,
    layout,
  });
  return { ...preparationOf(options), ...(Object.keys(columns).length > 0 && { columns }) };
}

export function readingOfData(options: ReadingOfData): DataReading {
  return readingOf(
    given({
      imageColumn: options.dataImageColumn,
      labelColumn: options.dataLabelColumn,
      splitColumn: options.dataSplitColumn,
      cueColumns: options.dataCueColumns,
      layout: options.dataLayout,
      size: options.dataSize,
      fit: options.dataFit,
      split: options.dataSplit,
      stratify: options.dataStratify,
      splitBy: options.dataSplitBy,
    }),
  );
}

/** The same for what takes paths alone. */
export function mappingOf(options: ReadingOptions): ColumnMapping {
  const { columns, ...prepared } = readingOf(options);
  return { ...columns, ...(Object.keys(prepared).length > 0 && { prepared }) };
}
