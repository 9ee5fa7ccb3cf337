import { type Logger, pino } from 'pino'

export type { Logger }

/** Paths that never reach a log line, whatever object they come with. */
const REDACTED = ['*.apiKey', '*.password', '*.privateKey', 'req.headers["x-api-key"]', 'req.headers["x-payment"]']

/** JSON lines on stdout: a verb phrase plus flat fields named as the metric labels. */
export const createLog = (level: string, bindings: Record<string, string> = {}): Logger =>
  pino({ level, redact: REDACTED, base: bindings, timestamp: pino.stdTimeFunctions.isoTime })

/** A URL fit for a log line: no credentials, no path or query that might carry a key. */
export const publicUrl = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return 'invalid-url'
  }
}
