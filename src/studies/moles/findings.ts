/** Does curing one shortcut feed another? Looked for on every world of the board, by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import { listText } from "../../core/words.ts";
import { type JudgedComparison, type MoleVerdict, moleSentence } from "../../metrics/moles/index.ts";
import { counted, untold } from "../judge.ts";
import type { Board, BoardRow } from "./board.ts";

export const claims = {
  told: "A method that is told one cue reduces reliance on it and amplifies the other",
  untold: "Methods that guess groups from an early network amplify a cue",
  both: "Told both cues, a method amplifies neither",
  ensemble: "Last Layer Ensemble, told only the kinds of shortcut, amplifies neither",
};

/** Methods whose groups are guessed. */
const guessing = ["LfF", "JTT", "EIIL", "DebiAN"];

/** Worlds whose baseline has learned nothing are in none. */
export function molesFindings(oracle: readonly Board[], honest: readonly Board[]): Finding[] {
  const rowsOf = (boards: readonly Board[], wanted: (row: BoardRow, board: Board) => boolean) =>
    boards
      .filter(({ isUntrained }) => !isUntrained)
      .flatMap((board) => board.rows.filter((row) => wanted(row, board)));
  const finding = (
    claim: string,
    wanted: (row: BoardRow, board: Board) => boolean,
    answer: (row: BoardRow) => Answer,
  ): Finding => {
    const [first, second] = [oracle, honest].map((boards) => rowsOf(boards, wanted));
    if (first!.every(({ judged }) => judged === undefined))
      return untold(claim, "no such run has a baseline beside it that has learned its task");
    const verdict = counted(first!.map(answer));
    const without = counted(second!.map(answer));
    return {
      claim,
      verdict,
      evidence: [
        ...first!.map(
          ({ label, judged }) => `${label}: ${judged ? moleSentence(judged) : "no seed has both."}`,
        ),
        `With epochs chosen by no labels but those a method was given: ${without}`,
      ].join(" "),
    };
  };
  return [
    finding(claims.told, ({ case: { explicit } }) => explicit.length === 1, toldOneAnswer),
    finding(claims.untold, ({ case: { method } }) => guessing.includes(method), amplifiedAnswer),
    finding(
      claims.both,
      ({ case: { explicit } }, { cues }) => explicit.length === cues.length,
      neitherAnswer,
    ),
    finding(claims.ensemble, ({ case: { method } }) => method === "LLE", neitherAnswer),
  ];
}

type Answer = "for" | "against" | "open";

function verdictOn(judged: JudgedComparison, isOwn: (cue: string) => boolean): (MoleVerdict | null)[] {
  return judged.cues
    .filter(({ cues, verdict }) => verdict !== null && isOwn(cues[0]!))
    .map(({ verdict }) => verdict);
}

/** What it was told is reduced, and the other amplified. */
function toldOneAnswer({ case: { explicit }, judged }: BoardRow): Answer {
  if (judged === undefined) return "open";
  const own = verdictOn(judged, (cue) => explicit.includes(cue));
  const other = verdictOn(judged, (cue) => !explicit.includes(cue));
  if (own.every((verdict) => verdict === "reduced") && other.every((verdict) => verdict === "amplified"))
    return "for";
  const against = own.some((verdict) => verdict !== "reduced" && verdict !== "cannot be told");
  return against || other.some((verdict) => verdict === "reduced" || verdict === "equal")
    ? "against"
    : "open";
}

/** Any cue. */
function amplifiedAnswer({ judged }: BoardRow): Answer {
  const all = judged === undefined ? [] : verdictOn(judged, () => true);
  if (all.includes("amplified")) return "for";
  return all.length > 0 && all.every((verdict) => verdict !== "cannot be told") ? "against" : "open";
}

/** Each cue is reduced or equal. */
function neitherAnswer({ judged }: BoardRow): Answer {
  const all = judged === undefined ? [] : verdictOn(judged, () => true);
  if (all.includes("amplified")) return "against";
  return all.length > 0 && all.every((verdict) => verdict === "reduced" || verdict === "equal")
    ? "for"
    : "open";
}

const neither =
  "For: every cue is reduced or equal. Against: one is amplified. Worse everywhere leaves it open, as reliance has not grown then";

/** For plans. */
export const claimRules = {
  [claims.told]:
    "For: what it was told is reduced and the other amplified. Against: what it was told is not, or the other is reduced or equal",
  [claims.untold]: `Of ${listText(guessing)}. For: a cue is amplified. Against: every cue has another verdict`,
  [claims.both]: neither,
  [claims.ensemble]: neither,
} as const;
