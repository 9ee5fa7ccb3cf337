/** Measures of a ranking and of its probabilities, shared by the evaluations. Labels are 1 (positive) and 0. */
export type Scored = { label: number; score: number }

const byScore = (rows: readonly Scored[]): Scored[] => [...rows].sort((a, b) => b.score - a.score)

/** Points of the ROC curve, one per distinct score: number of each class with this score or a higher one. */
const steps = (rows: readonly Scored[]): { positives: number; negatives: number; score: number }[] => {
  const out: { positives: number; negatives: number; score: number }[] = []
  let positives = 0
  let negatives = 0
  for (const row of byScore(rows)) {
    if (row.label === 1) positives++
    else negatives++
    const last = out.at(-1)
    if (last?.score === row.score) Object.assign(last, { positives, negatives })
    else out.push({ positives, negatives, score: row.score })
  }
  return out
}

const count = (rows: readonly Scored[], label: number): number => rows.filter((row) => row.label === label).length

/** Area under the ROC curve; ties count half. NaN if a class is missing. */
export const auc = (rows: readonly Scored[]): number => {
  let area = 0
  let before = { positives: 0, negatives: 0 }
  for (const step of steps(rows)) {
    area += ((step.negatives - before.negatives) * (step.positives + before.positives)) / 2
    before = step
  }
  return area / (count(rows, 1) * count(rows, 0))
}

/** Average precision: precision at each step weighted by the recall it adds. */
export const averagePrecision = (rows: readonly Scored[]): number => {
  const total = count(rows, 1)
  let sum = 0
  let before = 0
  for (const { positives, negatives } of steps(rows)) {
    sum += ((positives - before) / total) * (positives / (positives + negatives))
    before = positives
  }
  return sum
}

/** Highest recall whose false-positive rate does not exceed `rate`. */
export const recallAtFalsePositiveRate = (rows: readonly Scored[], rate: number): number => {
  const negatives = count(rows, 0)
  const fitting = steps(rows).filter((step) => step.negatives / negatives <= rate)
  return (fitting.at(-1)?.positives ?? 0) / count(rows, 1)
}

/** Precision of "score >= threshold" if `prevalence` of the population were positive; null if nothing is predicted. */
export const precisionAt = (rows: readonly Scored[], threshold: number, prevalence: number): number | null => {
  const rate = (label: number) =>
    rows.filter((row) => row.label === label && row.score >= threshold).length / count(rows, label)
  const hits = rate(1) * prevalence
  const alarms = rate(0) * (1 - prevalence)
  return hits + alarms === 0 ? null : hits / (hits + alarms)
}

/** Mean squared error of the probabilities. */
export const brier = (rows: readonly Scored[]): number =>
  rows.reduce((sum, row) => sum + (row.score - row.label) ** 2, 0) / rows.length

/** Expected calibration error over ten equal-width bins. */
export const calibrationError = (rows: readonly Scored[]): number => {
  const bins = Array.from({ length: 10 }, () => ({ n: 0, score: 0, label: 0 }))
  for (const row of rows) {
    const bin = bins[Math.min(9, Math.floor(row.score * 10))]
    if (!bin) continue
    bin.n++
    bin.score += row.score
    bin.label += row.label
  }
  return bins.reduce((sum, bin) => sum + Math.abs(bin.score - bin.label), 0) / rows.length
}
