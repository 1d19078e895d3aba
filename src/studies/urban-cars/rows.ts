/** The rows of Tables 3, 5, 9, 11 and 12 of Li et al. 2023, as they are named there and as they are run here. */

export const cues = ["background", "coObject"] as const;
export type CarCue = (typeof cues)[number];

type CarTable = 3 | 5 | 9 | 11 | 12;

export interface CarRow {
  /** As the paper calls it. */
  label: string;
  /** Undefined for what no table has: which shortcut comes up when nobody names it, their question H.4. */
  table: CarTable | undefined;
  told: readonly CarCue[];
  method: string;
  settings?: Readonly<Record<string, unknown>>;
  /** Beside the preset's flip. */
  augment?: readonly unknown[];
  /** Epochs instead of the preset's steps, for methods whose epochs are a handful of images. */
  fewImages?: true;
  /** Its last layer is solved. */
  solved?: true;
}

export const baseline = "ERM";

const untold: readonly Omit<CarRow, "told">[] = [
  { label: baseline, table: 3, method: "erm" },
  { label: "Mixup", table: 3, method: "erm", augment: [{ view: "mixup", with: { alpha: 0.2 } }] },
  { label: "CutMix", table: 3, method: "erm", augment: [{ view: "cutmix", with: { alpha: 1 } }] },
  { label: "Cutout", table: 3, method: "erm", augment: ["erase"] },
  { label: "AugMix", table: 3, method: "augmix" },
  { label: "SD", table: 3, method: "spectral-decoupling" },
  { label: "CF+F Aug", table: 3, method: "cf-f" },
  { label: "LfF", table: 3, method: "lff" },
  ...[1, 2].flatMap((epochs): Omit<CarRow, "told">[] => [
    { label: `JTT (E=${epochs})`, table: 3, method: "jtt", settings: { epochs } },
    { label: `EIIL (E=${epochs})`, table: 3, method: "eiil", settings: { epochs } },
  ]),
  { label: "DebiAN", table: 3, method: "debian" },
  { label: "LLE", table: 3, method: "last-layer-ensemble" },
  { label: "LfMF", table: 9, method: "lfmf" },
  ...[40, 50, 60].map(
    (epochs): Omit<CarRow, "told"> => ({
      label: `JTT (E=${epochs})`,
      table: 11,
      method: "jtt",
      settings: { epochs },
    }),
  ),
  {
    label: "LLE without stop-gradient",
    table: 12,
    method: "last-layer-ensemble",
    settings: { stopGradient: false },
  },
  ...["background-swap", "co-object-swap"].map(
    (view): Omit<CarRow, "told"> => ({
      label: `LLE by ${view} alone`,
      table: undefined,
      method: "last-layer-ensemble",
      settings: { views: [view] },
    }),
  ),
  { label: "LLE, frozen", table: 12, method: "last-layer-ensemble", settings: { freeze: true } },
];

const told: readonly Omit<CarRow, "told" | "table">[] = [
  { label: "gDRO", method: "group-dro" },
  { label: "DI", method: "domain-independent" },
  { label: "SUBG", method: "subg", fewImages: true },
  { label: "DFR", method: "dfr", solved: true },
];

/** What the sections of Table 5 are told. */
const sections: readonly (readonly CarCue[])[] = [cues, ["background"], ["coObject"]];

export const rows: readonly CarRow[] = [
  ...untold.map((row) => ({ ...row, told: [] })),
  ...sections.flatMap((cues) => told.map((row) => ({ ...row, table: 5 as const, told: cues }))),
];
