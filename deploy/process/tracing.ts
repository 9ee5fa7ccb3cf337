/** Turns tracing on in a process or thread where a collector is configured; loads nothing where none is. */
import { readFileSync } from 'node:fs'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { traceTo } from '../../platform/tracing/tracing.ts'

/** Sends spans until the lifecycle ends. A collector that does not answer costs spans, never work. */
export const traceProcess = async (
  context: Context,
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>,
  service: string,
): Promise<void> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  const { createExporter } = await import('../../platform/tracing/otlp.ts')
  traceTo(createExporter(context, { endpoint, service, version, ratio: config.OTEL_TRACES_SAMPLER_ARG }))
}
