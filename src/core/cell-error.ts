/** What is wrong with a cell or a record, before it is known where in the file that is. */

export interface CellErrorParts {
  expected?: string;
  got?: string;
  todo?: string;
}

export class CellError extends Error {
  readonly parts: CellErrorParts;

  constructor(what: string, parts: CellErrorParts = {}) {
    super(what);
    this.parts = parts;
  }
}

/** A whole record is wrong, and not one cell of it. */
export class RecordError extends CellError {}
