/** `cuelab data`: list, show, make, preview, check, discover, convert, measure and watermark datasets. */

import type { Command } from "commander";
import type { Session } from "../program.ts";
import { addBias } from "./data-bias.ts";
import { addCheck } from "./data-check.ts";
import { addConvert } from "./data-convert.ts";
import { addDiscover } from "./data-discover.ts";
import { addList, addShow } from "./data-list.ts";
import { addMake } from "./data-make.ts";
import { addPreview } from "./data-preview.ts";
import { addStyliseCommand } from "./data-stylise.ts";
import { addWatermarkCommand } from "./data-watermark.ts";

export function addData(program: Command, session: Session): void {
  const data = program
    .command("data")
    .description("make, look at, check and convert datasets whose shortcuts are known")
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab data list
  $ cuelab data show colored-mnist
  $ cuelab data make colored-mnist --format parquet --out D
  $ cuelab data check D`,
    );
  addList(data, session);
  addShow(data, session);
  addMake(data, session);
  addPreview(data, session);
  addCheck(data, session);
  addConvert(data, session);
  addDiscover(data, session);
  addBias(data, session);
  addStyliseCommand(data, session);
  addWatermarkCommand(data, session);
}
