/** The methods of the board, by what they are told: nothing, one cue, or all. */

export interface MoleRow {
  /** As tables call it. */
  label: string;
  method: string;
  /** Which of the world's cues it is told, by their places. */
  told: readonly number[];
  settings?: (world: RowWorld) => Readonly<Record<string, unknown>>;
  augment?: readonly unknown[];
  /** Whether its last layer is solved. */
  solved?: true;
  /** Whether it needs views of the world's shortcuts. */
  byViews?: true;
}

/** What of a world decides a row's settings. */
interface RowWorld {
  firstEpochs: number;
  upweight: number;
  views?: readonly unknown[];
}

export const baselineLabel = "ERM";

const untold: readonly MoleRow[] = [
  { label: baselineLabel, method: "erm", told: [] },
  { label: "CutMix", method: "erm", told: [], augment: ["cutmix"] },
  { label: "SD", method: "spectral-decoupling", told: [] },
  { label: "LfF", method: "lff", told: [] },
  {
    label: "JTT",
    method: "jtt",
    told: [],
    settings: ({ firstEpochs, upweight }) => ({ epochs: firstEpochs, upweight }),
  },
  { label: "EIIL", method: "eiil", told: [], settings: ({ firstEpochs }) => ({ epochs: firstEpochs }) },
  { label: "DebiAN", method: "debian", told: [] },
  {
    label: "LLE",
    method: "last-layer-ensemble",
    told: [],
    byViews: true,
    settings: ({ views }) => ({ views }),
  },
];

/** Each told the first cue, the second, and both. */
const told: readonly MoleRow[] = [
  { label: "Group DRO", method: "group-dro" },
  { label: "Upweighting", method: "group-upweighting" },
  { label: "DI", method: "domain-independent" },
  { label: "DFR", method: "dfr", solved: true as const },
].flatMap((row) => [[0], [1], [0, 1]].map((cues) => ({ ...row, told: cues })));

const all: readonly MoleRow[] = [...untold, ...told];

/** In the order of the board, the baseline always among them. */
export function rowsNamed(labels: readonly string[] | "all"): MoleRow[] {
  return all.filter(({ label }) => labels === "all" || label === baselineLabel || labels.includes(label));
}
