/** Settings of tracing, named as in OpenTelemetry. */
import { z } from 'zod'

/** Settings of tracing, with OpenTelemetry's values. */
export const tracingSettings = {
  /** Base URL of a collector for OTLP over HTTP. Tracing is off if not set. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of traces that are recorded. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|1|0?\.\d{1,9}|1\.0+)$/, 'expected a fraction from 0 to 1')
    .transform(Number)
    .prefault('1'),
}
