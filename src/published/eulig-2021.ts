/**
 * Numbers that Eulig, Saranrittichai, Mummadi, Rambach, Beluch, Shi and Fischer 2021 ("DiagViB-6: A Diagnostic Benchmark Suite for
 * Vision Models in the Presence of Shortcut and Generalization Opportunities") print, in whole per cent, each under the name of its
 * table. Figures 4, 5 and A5 to A8 show single pairs as colours; what the text says of some is below. Errors are population ones:
 * deviation over five dataset samples, divided by their number's root.
 */

/** In the paper's order, from the most robust to the most vulnerable. */
export const factors = ["position", "hue", "lightness", "scale", "shape", "texture"] as const;
export type PublishedFactor = (typeof factors)[number];

export const networks = [
  "RN18",
  "RN50",
  "RN50-IN",
  "AlexNet",
  "DenseNet",
  "WRN",
  "ASR (RN18)",
  "Factor-VAE",
  "VAE",
] as const;
export type PublishedNetwork = (typeof networks)[number];

/** Accuracy and its standard error; in Table 2 a gain and its standard deviation. */
export interface PrintedMean {
  mean: number;
  error: number;
}

export interface PrintedAggregates {
  average: PrintedMean;
  minimum: PrintedMean;
}

type OfFactors<Value> = Readonly<Record<PublishedFactor, Value>>;
type PrintedTable<Value> = Readonly<Record<PublishedNetwork, OfFactors<Value>>>;

/**
 * Table 2: accuracy of the class that CHGO couples, less the average accuracy of ZGO, and the standard deviation "over the five dataset
 * subsets": whether of five means or of 25 pairs is not said.
 */
export const table2 = means(`
RN18 | 0±0  2±3  27±21  -1±14  2±5  -1±2
RN50 | 0±0  3±5  26±21  -1±16  2±5  -2±2
RN50-IN | -1±11  5±6  15±17  -7±11  0±8  -1±1
AlexNet | -4±8  1±4  24±19  -1±12  3±6  -2±2
DenseNet | 2±3  -3±5  24±21  -3±13  2±5  -1±1
WRN | 1±1  -2±4  23±22  1±14  3±6  -2±2
ASR (RN18) | 1±1  12±15  32±18  1±15  1±2  0±2
Factor-VAE | 0±0  2±5  19±17  -3±11  1±8  2±1
VAE | 0±0  2±5  18±15  -3±12  0±9  2±1
`);

/** Table A2: accuracy without a shortcut (ZSO), where average and minimum are the same. */
export const tableA2 = means(`
RN18 | 100±0  100±0  99±0  99±0  100±0  62±6
RN50 | 100±0  100±0  89±9  99±0  100±0  77±3
RN50-IN | 99±0  99±0  94±1  74±2  83±3  54±1
AlexNet | 100±0  100±0  98±1  97±0  99±0  68±3
DenseNet | 100±0  100±0  99±0  99±0  100±0  70±3
WRN | 100±0  100±0  99±0  99±0  100±0  86±2
ASR (RN18) | 100±0  77±6  82±2  92±1  91±1  45±1
Factor-VAE | 100±0  97±1  93±2  84±1  91±2  34±0
VAE | 100±0  98±1  94±1  86±2  93±2  34±0
`);

/**
 * Tables A3 to A9: FAAvg and FAMin of each factor, by study. Their captions count factors from 0 to 6; there are six. The text calls Figure 5b
 * Figure 4b where it speaks of FGO, and says that FAAvg is above chance at FGO-5 for all factors but texture: RN18 has 39 on texture.
 */
export const aggregates = {
  /** Table A3. */
  ZGO: aggregatesOf(`
RN18 | 100±0  99±1  74±2  0±0  57±4  31±5  33±2  0±0  41±2  0±0  2±1  0±0
RN50 | 100±0  100±0  72±2  0±0  58±4  27±1  32±2  0±0  42±2  0±0  3±1  0±0
RN50-IN | 68±3  18±2  85±2  64±3  72±4  50±6  28±2  4±1  33±5  8±4  10±1  1±0
AlexNet | 100±0  100±0  72±2  0±0  62±6  31±5  32±2  0±0  39±2  0±0  3±1  0±0
DenseNet | 98±1  88±6  74±3  7±3  61±6  34±8  34±1  0±0  40±2  0±0  2±0  0±0
WRN | 99±1  96±3  73±3  4±3  61±6  37±8  32±2  0±0  41±2  0±0  2±1  0±0
ASR (RN18) | 99±0  96±1  27±3  1±0  43±2  25±0  51±2  0±0  60±1  1±0  8±0  0±0
Factor-VAE | 100±0  100±0  65±4  0±0  64±4  27±0  32±1  0±0  35±2  0±0  4±0  0±0
VAE | 100±0  100±0  65±4  0±0  64±4  26±0  33±2  0±0  37±3  0±0  4±0  0±0
`),
  /** Table A4. */
  "CGO-1": aggregatesOf(`
RN18 | 100±0  100±0  83±1  29±5  71±8  49±9  47±3  6±2  51±3  2±1  8±2  0±0
RN50 | 100±0  100±0  82±1  24±6  69±8  46±8  48±4  9±3  51±3  0±0  6±2  0±0
RN50-IN | 80±2  42±4  88±2  73±3  75±5  59±8  31±3  8±2  37±6  12±5  11±1  1±0
AlexNet | 97±2  87±12  81±2  18±7  72±8  52±10  41±3  2±1  45±3  0±0  3±0  0±0
DenseNet | 100±0  99±1  79±1  19±1  71±8  50±10  48±4  9±3  49±2  2±1  3±0  0±0
WRN | 100±0  100±0  81±2  27±4  72±9  51±10  48±3  10±3  51±3  4±2  4±1  0±0
ASR (RN18) | 99±1  94±3  34±3  2±1  54±4  40±5  61±2  2±1  64±3  2±1  10±1  0±0
Factor-VAE | 99±0  93±2  65±3  0±0  67±6  41±5  38±3  0±0  40±3  0±0  4±0  0±0
VAE | 98±1  92±3  64±3  0±0  67±6  40±6  39±3  1±0  43±4  0±0  3±0  0±0
`),
  /** Table A5. */
  "CGO-2": aggregatesOf(`
RN18 | 100±0  100±0  89±4  53±16  76±11  51±14  59±5  21±6  64±2  4±2  17±4  0±0
RN50 | 100±0  100±0  91±4  59±17  76±10  56±14  59±4  18±7  66±3  13±5  16±4  0±0
RN50-IN | 88±2  67±6  91±3  80±4  77±8  63±12  35±5  15±4  46±6  18±5  15±2  2±1
AlexNet | 97±2  87±12  87±2  45±7  75±9  55±14  49±4  11±5  55±2  0±0  7±2  0±0
DenseNet | 100±0  98±2  89±4  56±14  77±10  58±15  58±5  23±4  62±2  8±3  12±3  0±0
WRN | 100±0  100±0  91±4  62±17  78±11  58±14  59±4  19±3  67±3  11±6  17±4  0±0
ASR (RN18) | 99±1  96±3  39±6  6±6  55±7  39±9  62±2  4±2  65±3  2±1  14±2  0±0
Factor-VAE | 97±2  89±6  67±4  1±0  68±8  43±10  40±4  1±0  48±3  0±0  5±1  0±0
VAE | 99±1  97±3  69±4  1±0  68±7  39±8  41±4  1±0  51±4  0±0  4±0  0±0
`),
  /** Table A6. */
  "CGO-3": aggregatesOf(`
RN18 | 100±0  100±0  95±3  81±9  86±6  65±13  62±7  22±3  76±3  28±7  19±4  1±0
RN50 | 100±0  100±0  96±2  85±8  86±7  66±17  69±7  29±9  72±2  8±3  20±4  1±0
RN50-IN | 92±2  74±7  94±1  81±5  84±5  70±10  35±5  12±3  51±8  23±10  15±2  3±1
AlexNet | 97±2  87±12  86±2  38±7  79±7  54±11  56±7  6±2  62±4  3±2  10±2  0±0
DenseNet | 100±0  100±0  94±2  80±6  86±7  71±13  66±7  23±4  72±4  29±11  16±3  1±0
WRN | 100±0  100±0  97±2  87±6  87±6  69±13  74±6  32±7  82±3  48±9  24±6  2±0
ASR (RN18) | 100±0  99±0  45±1  2±1  62±8  34±8  67±3  10±5  69±3  11±7  14±1  0±0
Factor-VAE | 100±0  100±0  70±3  1±1  73±6  36±7  43±4  1±1  49±3  0±0  4±1  0±0
VAE | 100±0  100±0  72±3  0±0  72±7  36±8  44±5  1±0  53±4  0±0  3±1  0±0
`),
  /** Table A7. */
  "FGO-5": aggregatesOf(`
RN18 | 100±0  100±0  100±0  100±0  93±2  85±8  93±1  89±1  99±0  98±0  39±2  35±3
RN50 | 97±2  87±12  100±0  100±0  95±1  93±2  93±1  90±1  99±0  98±0  41±2  36±1
RN50-IN | 95±1  91±2  96±1  94±1  85±3  78±4  41±4  28±4  51±8  37±9  14±1  4±1
AlexNet | 100±0  100±0  97±2  87±12  82±4  64±8  82±3  69±8  94±3  82±11  14±2  6±3
DenseNet | 100±0  100±0  100±0  100±0  94±1  92±2  92±1  88±1  98±0  97±1  32±2  26±2
WRN | 100±0  100±0  100±0  100±0  95±1  94±1  95±1  92±1  98±0  98±0  47±3  42±2
ASR (RN18) | 99±0  98±0  34±3  1±1  53±4  28±1  69±2  35±6  70±2  26±7  10±1  0±0
Factor-VAE | 100±0  100±0  84±4  61±9  80±5  69±7  55±4  40±4  62±5  44±7  5±0  0±0
VAE | 100±0  100±0  86±3  63±8  82±4  74±5  57±4  42±4  68±5  52±6  4±0  0±0
`),
  /** Table A8. */
  "FGO-10": aggregatesOf(`
RN18 | 100±0  100±0  100±0  100±0  96±1  95±1  96±1  95±1  99±0  99±0  47±3  41±4
RN50 | 100±0  100±0  100±0  100±0  96±1  95±1  97±0  95±1  99±0  99±0  49±3  41±2
RN50-IN | 97±1  95±1  97±1  96±1  87±2  83±3  45±3  35±4  59±7  48±9  17±2  8±1
AlexNet | 97±2  87±12  95±3  73±15  90±3  75±9  89±1  85±2  95±3  84±11  28±2  22±2
DenseNet | 100±0  100±0  100±0  100±0  96±1  95±1  95±1  94±1  99±0  98±1  40±1  36±1
WRN | 100±0  100±0  100±0  100±0  97±1  96±1  97±0  95±0  99±0  99±0  54±5  52±5
ASR (RN18) | 99±0  98±0  45±4  11±4  53±3  31±2  78±1  50±3  74±4  32±7  10±0  0±0
Factor-VAE | 100±0  100±0  89±3  72±9  83±4  76±6  62±4  51±5  71±5  60±5  5±0  0±0
VAE | 100±0  100±0  91±2  76±7  86±3  79±5  64±4  53±4  78±5  70±6  4±0  0±0
`),
  /** Table A9. */
  "FGO-20": aggregatesOf(`
RN18 | 100±0  100±0  100±0  100±0  98±1  97±1  95±2  84±11  99±0  99±0  54±5  51±5
RN50 | 100±0  100±0  100±0  100±0  98±1  97±1  98±0  98±0  100±0  99±0  55±5  52±5
RN50-IN | 98±0  98±1  98±0  97±1  90±2  88±2  51±3  44±3  67±6  60±7  23±2  15±2
AlexNet | 97±2  87±12  100±0  100±0  90±4  77±10  91±3  80±11  93±5  85±11  38±2  34±2
DenseNet | 100±0  100±0  100±0  100±0  97±1  96±1  97±0  97±0  99±0  99±0  47±3  43±3
WRN | 100±0  100±0  100±0  100±0  98±0  97±1  98±0  97±0  99±0  99±0  61±5  57±6
ASR (RN18) | 100±0  99±0  59±4  26±8  60±3  38±2  84±2  67±5  82±3  60±7  16±1  1±1
Factor-VAE | 100±0  100±0  94±2  84±5  88±3  82±5  71±3  63±3  81±4  75±5  5±0  0±0
VAE | 100±0  100±0  96±1  89±4  89±3  84±4  72±3  65±3  85±3  81±4  5±0  0±0
`),
} as const satisfies Record<string, PrintedTable<PrintedAggregates>>;
export type PublishedStudy = keyof typeof aggregates;

/** Section 5: accuracies of single pairs of RN18, the predicted factor first. */
export const pairs: readonly {
  predict: PublishedFactor;
  cue: PublishedFactor;
  study: PublishedStudy;
  mean: number;
}[] = [
  { predict: "scale", cue: "hue", study: "ZGO", mean: 1 },
  { predict: "scale", cue: "hue", study: "CGO-1", mean: 19 },
  { predict: "scale", cue: "hue", study: "CGO-2", mean: 42 },
  { predict: "scale", cue: "hue", study: "CGO-3", mean: 53 },
  { predict: "shape", cue: "hue", study: "ZGO", mean: 0 },
  { predict: "shape", cue: "hue", study: "FGO-5", mean: 98 },
];

function means(text: string): PrintedTable<PrintedMean> {
  return rowsOf(text, 1, ([only]) => only!);
}

function aggregatesOf(text: string): PrintedTable<PrintedAggregates> {
  return rowsOf(text, 2, ([average, minimum]) => ({ average: average!, minimum: minimum! }));
}

/** `RN18 | 100±0  99±1 …`: so many cells a factor. */
function rowsOf<Value>(
  text: string,
  cellsOfFactor: number,
  toValue: (cells: readonly PrintedMean[]) => Value,
): PrintedTable<Value> {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => {
      const [network, words] = line.split(" | ") as [string, string];
      const cells = words.split(/ {2,}/).map((cell): PrintedMean => {
        const [mean, error] = cell.split("±").map(Number) as [number, number];
        return { mean, error };
      });
      const values = factors.map((factor, i) => [
        factor,
        toValue(cells.slice(i * cellsOfFactor, (i + 1) * cellsOfFactor)),
      ]);
      return [network, Object.fromEntries(values)];
    });
  return Object.fromEntries(rows) as PrintedTable<Value>;
}
