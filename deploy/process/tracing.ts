/** Enables tracing in a process or thread if a collector is configured; otherwise loads nothing. */
import { readFileSync } from 'node:fs'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { traceTo } from '../../platform/tracing/tracing.ts'

/** Sends spans until the lifecycle ends. If the collector does not respond, spans are dropped and work continues. */
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
