export class Checkout {
  constructor(folder: string);
  readonly folder: string;
}
