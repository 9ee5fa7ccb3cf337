/** Limits of an analyst's statement, on the embedded store and on a server. */
export type AnalystLimits = {
  /** Maximum duration of a statement, s. */
  seconds: number
  /** Memory of a statement, bytes. */
  memory: number
  /** Rows of a result. */
  rows: number
  /** Bytes of a result. */
  bytes: number
}
/** Default limits of `assay sql`, and of role `analyst` on a server. */
export const LIMITS: AnalystLimits = { seconds: 60, memory: 2_000_000_000, rows: 1_000_000, bytes: 512_000_000 }

/** Settings that enforce the limits. On a server, those with a number may be lowered, the others are constant. */
export const boundsOf = ({
  seconds,
  memory,
  rows,
  bytes,
}: AnalystLimits): Readonly<Record<string, string | number>> => ({
  max_execution_time: seconds,
  timeout_overflow_mode: 'throw',
  max_memory_usage: memory,
  max_result_rows: rows,
  max_result_bytes: bytes,
  result_overflow_mode: 'throw',
  max_threads: 2,
})
