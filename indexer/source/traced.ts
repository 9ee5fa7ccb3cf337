/** A source whose blocks carry a trace that begins with the request to a node. */
import { attachTrace, isTracing, traced } from '../../platform/tracing/tracing.ts'
import type { PackedSource } from './packed.ts'

/** Returns the source itself while tracing is off. */
export const traceSource = (source: PackedSource): PackedSource => {
  if (!isTracing()) return source
  return {
    ...source,
    block: (at, signal) => {
      const attributes = { 'assay.network': source.network, 'assay.block': at.number }
      return traced('fetch block', { kind: 'client', attributes }, async (traceparent) => {
        const block = await source.block(at, signal)
        if (block) attachTrace(block, traceparent)
        return block
      })
    },
  }
}
