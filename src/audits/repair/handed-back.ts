/** What a repair hands back: the network with another last layer, and beside it a card that says what was changed. */

import { dirname } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import type { Section } from "../../core/section.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { readPlainText } from "../../disk/plain-file.ts";
import { checkFree, writeWhole } from "../../disk/write-whole.ts";
import type { Repaired } from "./repair.ts";
import { repairLead, repairTitle, showRepair } from "./show.ts";

export interface RepairPlace {
  network: string;
  card: string;
  replaces: { network: boolean; card: boolean };
}

/** Where both go, before anything is fitted: what cannot be written is said now. */
export async function repairPlace(network: string, { force }: { force: boolean }): Promise<RepairPlace> {
  if (!network.toLowerCase().endsWith(".onnx"))
    throw new CuelabError({
      kind: "usage",
      what: "a repaired network is an ONNX file",
      expected: "--out <file.onnx>",
      got: network,
    });
  const card = `${network.slice(0, -".onnx".length)}.md`;
  await makeFolder(dirname(network));
  await checkFree(network, { overwrite: force });
  const replaces = { network: force, card: force || (await isOurs(card)) };
  await checkFree(card, { overwrite: replaces.card });
  return { network, card, replaces };
}

/** The network comes last: where it is, all is. */
export async function writeRepair(
  { network, card, replaces }: RepairPlace,
  { answer, file }: Repaired,
  written: (sections: readonly Section[]) => string,
): Promise<void> {
  const sections = showRepair(answer).map((section) => ({ ...section, figures: [] }));
  await writeWhole(card, `${cardBegins}\n\n${written(sections)}`, { overwrite: replaces.card });
  await writeWhole(network, file, { overwrite: replaces.network });
}

const cardBegins = `# ${repairTitle}\n\n${repairLead}`;

/** Without its network a card is what a repair left that was ended between the two, and is written again. */
async function isOurs(card: string): Promise<boolean> {
  const text = await readPlainText(card).catch(() => "");
  return text.startsWith(cardBegins);
}
