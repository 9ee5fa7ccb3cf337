/** What a dashboard is made of. */

/** Grafana's names of units. */
type Unit = 's' | 'ops' | 'reqps' | 'bytes' | 'short' | 'percentunit'

/** A picture of some lines over time. */
export type Panel = {
  title: string
  /** What to read from it. */
  description: string
  unit: Unit
  /** Expressions, with the text of their legends. */
  lines: Readonly<Record<string, string>>
}

/** Rows of panels under a title. */
export type Dashboard = { uid: string; title: string; rows: Readonly<Record<string, readonly Panel[]>> }

/** The window of a rate, which Grafana chooses by the width of the picture. */
export const RATE = '[$__rate_interval]'
/** The quantile of a histogram, for each value of the labels `by`. */
export const p = (quantile: number, metric: string, by = '') =>
  `histogram_quantile(${quantile}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket${RATE})))`
