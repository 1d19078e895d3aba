/** What the engine's measurements come to: medians with their spread, a table, and a comparison with an earlier run. */

/** Over this share of the processors in others' hands, a round was disturbed. */
const busyShare = 0.1;

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], least: sorted[0], most: sorted.at(-1) };
}

/** Medians over rounds. Ratios and shares are taken within each round first. */
export function summarise({ samples, ...facts }) {
  const of = (value) => spread(samples.map(value));
  const withTorch = samples.every(({ torch }) => torch !== undefined);
  const rate = (operations, { ms }) => operations / ms / 1e6;
  const others = samples.flatMap((sample) => Object.values(sample).map((part) => part.others));
  return {
    ...facts,
    imagesPerSecond: of(({ ours }) => (1000 * facts.images) / ours.ms),
    processorMs: of(({ ours }) => ours.processorMs),
    gigaflops: of(({ ours }) => rate(facts.operations, ours)),
    peakGigaflops: of(({ peak }) => rate(2 * 1024 ** 3, peak)),
    peakShare: of(({ ours, peak }) => rate(facts.operations, ours) / rate(2 * 1024 ** 3, peak)),
    ...(withTorch
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
      percent(result.peakShare),
      result.torchPeakMB === undefined ? result.peakMB : `${result.peakMB} (PyTorch ${result.torchPeakMB})`,
      result.startMs,
      `${(100 * result.disturbed).toFixed(0)}%`,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** Says what changed since an earlier report. Shares of the peak are compared, since the peak feels the machine's mood too. */
export function compare(before, now) {
  console.log(`Beside ${before.date} (${before.processor}, ${before.threads} threads):`);
  for (const result of now.results) {
    const old = before.results.find(({ workload }) => workload === result.workload);
    if (old === undefined) continue;
    const ratio = result.peakShare.median / old.peakShare.median;
    const apart =
      result.peakShare.most < old.peakShare.least
        ? "slower, spreads apart"
        : result.peakShare.least > old.peakShare.most
          ? "faster, spreads apart"
          : "spreads overlap";
    console.log(
      `(${result.workload}) ${ratio.toFixed(2)} × the share of peak: ${percent(old.peakShare)} → ${percent(result.peakShare)}, ${apart}; ${old.peakMB} → ${result.peakMB} MB`,
    );
  }
}
