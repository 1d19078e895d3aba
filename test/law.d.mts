export interface Import {
  file: string;
  /** Of ours: relative to src; else a package. */
  target: string;
  type: boolean;
  /** Whether it is imported when it is needed. */
  lazy: boolean;
}

export const source: string;
export const layers: readonly Readonly<Record<string, string>>[];
export const exceptions: Readonly<Record<string, string>>;
export const loops: Readonly<Record<string, string>>;
export const levels: ReadonlyMap<string, number>;
export function importsOf(root?: string): Import[];
export function targetsOf(file: string, text: string): Omit<Import, "file">[];
export function folderOf(path: string): string;
export function knots(edges: readonly (readonly [string, string])[]): string[][];
