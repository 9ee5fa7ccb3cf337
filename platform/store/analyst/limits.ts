/** What a statement of an analyst may take, in the embedded store and on a server. */
export type AnalystLimits = {
  /** Longest run of a statement, s. */
  seconds: number
  /** Memory of a statement, bytes. */
  memory: number
  /** Rows of a result. */
  rows: number
  /** Bytes of a result. */
  bytes: number
}
/** Limits of `assay sql` and of role `analyst` on a server, where nobody states others. */
export const LIMITS: AnalystLimits = { seconds: 60, memory: 2_000_000_000, rows: 1_000_000, bytes: 512_000_000 }

/** Settings that bound a statement: those with a number may be lowered on a server, the others may not be changed. */
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
