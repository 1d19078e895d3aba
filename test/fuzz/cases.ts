/** Mutants that once went wrong, by what makes them again: format, seed and number. They stay as long as the mutators do. */

interface StoredCase {
  format: string;
  seed: number;
  index: number;
  was: string;
}

export const storedCases: readonly StoredCase[] = [
  { format: "npz", seed: 1, index: 3, was: "a RangeError: numbers beyond the array" },
  { format: "npz", seed: 1, index: 6, was: "silently wrong: a label that its checksum denies" },
  { format: "npz", seed: 1, index: 34, was: "a TypeError: the type `constructor`" },
  { format: "npz", seed: 1, index: 40, was: "silently wrong: three values of eight images" },
  { format: "npz", seed: 1, index: 89, was: "a RangeError: a header longer than the file" },
  {
    format: "npz (compressed)",
    seed: 1,
    index: 7,
    was: "the end of the process: a stream that failed unheard",
  },
  { format: "tar", seed: 1, index: 63, was: "a RangeError: a size that is no number" },
  {
    format: "parquet (without dataset.json)",
    seed: 1,
    index: 21,
    was: "silently wrong: no labels of four images",
  },
  {
    format: "parquet (without dataset.json)",
    seed: 1,
    index: 52,
    was: "without end: a run of billions of levels",
  },
  { format: "COCO JSON", seed: 1, index: 4, was: "a TypeError: a list named `constructor`" },
  { format: "predictions, Parquet", seed: 1, index: 22, was: "silently wrong: no rows of four" },
  { format: "predictions, Parquet", seed: 1, index: 54, was: "silently wrong: no cells in four rows" },
  { format: "predictions, Parquet", seed: 1, index: 414, was: "silently wrong: numbers read as truths" },
  { format: "accuracy by class, JSON", seed: 1, index: 326, was: "a TypeError: a group of null" },
];
