/** What the engine's measurements come to: medians with their spread, a table, and a comparison with an earlier run. */

/** Over this share of the processors in others' hands, a round was disturbed. */
const busyShare = 0.1;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function spread(values) {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** Medians over rounds. Ratios and shares are taken within each round first. */
export function summarise({ samples, ...facts }) {
  const of = (value) => spread(samples.map(value));
  const measured = (key) => samples.every((sample) => sample[key] !== undefined);
  const rate = (operations, { ms }) => operations / ms / 1e6;
  const others = samples.flatMap((sample) => Object.values(sample).map((part) => part.others));
  return {
    ...facts,
    imagesPerSecond: of(({ ours }) => (1000 * facts.images) / ours.ms),
    processorMs: of(({ ours }) => ours.processorMs),
    gigaflops: of(({ ours }) => rate(facts.operations, ours)),
    peakGigaflops: of(({ peak }) => rate(2 * 1024 ** 3, peak)),
    peakShare: of(({ ours, peak }) => rate(facts.operations, ours) / rate(2 * 1024 ** 3, peak)),
    ...(measured("torchChannelsLast")
      ? { timesTorchChannelsLast: of(({ ours, torchChannelsLast }) => torchChannelsLast.ms / ours.ms) }
      : {}),
    ...(measured("torch")
      ? {
          timesTorch: of(({ ours, torch }) => torch.ms / ours.ms),
          timesTorchProcessor: of(({ ours, torch }) => torch.processorMs / ours.processorMs),
          torchPeakMB: Math.max(...samples.map(({ torch }) => torch.peakMB)),
        }
      : {}),
    peakMB: Math.max(...samples.map(({ ours }) => ours.peakMB)),
    disturbed: others.filter((share) => share > busyShare).length / others.length,
    samples,
  };
}

const show = ({ median, least, most }, digits) =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
const percent = ({ median, least, most }) =>
  show({ median: 100 * median, least: 100 * least, most: 100 * most }, 0);

export function printTable(results, heading = true) {
  const columns = [
    "images/s",
    "× PyTorch",
    "× by processor time",
    "× PyTorch, channels last",
    "% of peak",
    "MB",
    "start ms",
    "disturbed",
  ];
  if (heading) {
    console.log(`| workload | ${columns.join(" | ")} |`);
    console.log(`| --- | ${columns.map(() => "---:").join(" | ")} |`);
  }
  for (const result of results) {
    const cells = [
      `(${result.workload}) ${result.title}`,
      show(result.imagesPerSecond, 0),
      result.timesTorch === undefined ? "" : show(result.timesTorch, 2),
      result.timesTorchProcessor === undefined ? "" : show(result.timesTorchProcessor, 2),
      result.timesTorchChannelsLast === undefined ? "" : show(result.timesTorchChannelsLast, 2),
      percent(result.peakShare),
      result.torchPeakMB === undefined ? result.peakMB : `${result.peakMB} (PyTorch ${result.torchPeakMB})`,
      result.startMs,
      `${(100 * result.disturbed).toFixed(0)}%`,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** Fewer rounds have no spread worth the name. */
const fewRounds = 3;

/** Says what changed since an earlier report. Shares of the peak are compared, since the peak feels the machine's mood too. */
export function compare(before, now) {
  console.log(`Beside ${before.date}:`);
  for (const what of ["processor", "cores", "node", "threads"]) {
    if (before[what] !== now[what])
      console.log(`Not the same ${what}: ${before[what]} then, ${now[what]} now.`);
  }
  if (Math.min(before.rounds, now.rounds) < fewRounds)
    console.log(`Fewer than ${fewRounds} rounds: the spreads say little.`);
  for (const result of now.results) {
    const old = before.results.find(({ workload }) => workload === result.workload);
    if (old === undefined) continue;
    const ratio = (of) => `${(of(result).median / of(old).median).toFixed(2)} ×`;
    const apart =
      result.peakShare.most < old.peakShare.least
        ? "slower, spreads apart"
        : result.peakShare.least > old.peakShare.most
          ? "faster, spreads apart"
          : "spreads overlap";
    const disturbed = Math.max(result.disturbed, old.disturbed);
    console.log(
      [
        `(${result.workload}) ${ratio(({ imagesPerSecond }) => imagesPerSecond)} the images/s`,
        `${ratio(({ peakShare }) => peakShare)} the share of peak: ${percent(old.peakShare)} → ${percent(result.peakShare)}, ${apart}`,
        `${old.peakMB} → ${result.peakMB} MB`,
        ...(disturbed > 0 ? [`up to ${(100 * disturbed).toFixed(0)}% of the measurements disturbed`] : []),
      ].join("; "),
    );
  }
}
