import { type Logger, pino } from 'pino'

export type { Logger }

/** Paths that are redacted in every log line. */
const REDACTED = ['*.apiKey', '*.password', '*.privateKey', 'req.headers["x-api-key"]', 'req.headers["x-payment"]']

/** JSON lines on stdout: a verb phrase plus flat fields named as the metric labels. */
export const createLog = (level: string, bindings: Record<string, string> = {}): Logger =>
  pino({ level, redact: REDACTED, base: bindings, timestamp: pino.stdTimeFunctions.isoTime })

/** A URL for log lines: without credentials, path and query, which may contain a key. */
export const publicUrl = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return 'invalid-url'
  }
}
