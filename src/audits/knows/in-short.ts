/** What features know and the head uses, in two sentences. */

import { pointsCell } from "../../core/section.ts";
import { listText, percentText } from "../../core/words.ts";
import type { KnowsAnswer } from "./audit.ts";

export function knowsInShort({ class: own, cues, accuracy }: KnowsAnswer): string[] {
  const readable = cues
    .filter(({ decodable }) => decodable.is)
    .map(({ name, probe }) => `${name} ${percentText(probe.accuracy.value)}`);
  const known = own.decodable.is
    ? `A linear layer could tell the class of ${percentText(own.probe.accuracy.value)} of these images, whatever the cues say${readable.length > 0 ? `, and reads ${readable.join(", ")}` : ""}.`
    : `No linear layer reads the class from these features, whatever the cues say${readable.length > 0 ? `; it reads ${readable.join(", ")}` : ""}.`;
  if (accuracy === undefined || own.moves === undefined) return [known];
  const used = cues
    .filter(({ use }) => use?.verdict === "used")
    .toSorted((a, b) => b.use!.moves.value - a.use!.moves.value);
  const [most] = used;
  if (most === undefined) {
    const open = cues.filter(({ use }) => use?.verdict === "cannot be told").map(({ name }) => name);
    return [
      known,
      `The network's own head tells ${percentText(accuracy.value)}; ${open.length === 0 ? "it uses none of the cues" : `whether it uses ${listText(open)} cannot be told`}.`,
    ];
  }
  const { name, use } = most;
  const times = use!.moves.value / Math.max(1e-9, own.moves.value);
  const asks =
    own.decodable.is && times > 1
      ? `It knows the class and asks the ${name}`
      : `It asks the ${used.map((cue) => cue.name).join(" and the ")} beside the class`;
  return [
    known,
    `${asks}: the head tells ${percentText(accuracy.value)}, the ${name} moves it ${times.toFixed(1)} times as far as the class, and its gap of ${pointsCell(use!.gap.value).text} becomes ${pointsCell(use!.without.value).text} without that direction.`,
  ];
}
