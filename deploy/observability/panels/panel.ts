/** Types and helpers of dashboards. */

/** Units as named by Grafana. */
type Unit = 's' | 'ops' | 'reqps' | 'bytes' | 'short' | 'percentunit'

/** A time series panel. */
export type Panel = {
  title: string
  /** How to read it. */
  description: string
  unit: Unit
  /** Expressions by legend. */
  lines: Readonly<Record<string, string>>
}

/** Rows of panels under a title. */
export type Dashboard = { uid: string; title: string; rows: Readonly<Record<string, readonly Panel[]>> }

/** Window of rates, which Grafana chooses by the width of the panel. */
export const RATE = '[$__rate_interval]'
/** Quantile of a histogram, by the labels `by`. */
export const p = (quantile: number, metric: string, by = '') =>
  `histogram_quantile(${quantile}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket${RATE})))`
