/** What WILDS' tables say: each dataset has columns of its own, from which class, split, groups and image follow. */

/** One row of a table, as WILDS means it. */
interface WildsRow {
  /** Relative to the table's folder; undefined where the data is text. */
  image: string | undefined;
  /** Place among the layout's class names, or the class itself where it has none. */
  label: string;
  split: string;
  /** One an attribute of the layout. */
  values: readonly string[];
}

/** A row by its cells and its number from 0; undefined where WILDS leaves it out. */
type RowReader = (cell: (column: string) => string, row: number) => WildsRow | undefined;

export interface WildsLayout {
  /** As WILDS' papers call it. */
  title: string;
  /** Name of the table in the dataset's folder. */
  table: string;
  /** Columns that it needs, and by which it is recognised. */
  columns: readonly string[];
  classNames?: readonly string[];
  attributes: readonly string[];
  /** The attribute that tells where the data comes from, of which WILDS keeps some for testing. */
  environment?: string;
  shiftedSplits: readonly string[];
  /** By which attributes WILDS reports accuracies: together, or as overlapping groups by class. */
  groups?: readonly string[];
  overlapping?: readonly string[];
  /** Opens what lies beside the table; rows are read in order. */
  open(table: string): RowReader | Promise<RowReader>;
}
