export interface KillOutcome {
  runs: number;
  kills: { driver: number; worker: number };
  problems: string[];
}
export function killSweep(options: {
  runs: number;
  kills: number;
  seed: number;
  folder: string;
}): Promise<KillOutcome>;
