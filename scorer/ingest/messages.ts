/** Bus messages as steps of a chain, and those that are none. */
import { ZodError } from 'zod'
import type { Message } from '../../platform/bus/bus.ts'
import { messageOf, OperatorError } from '../../platform/errors.ts'
import type { BlockRef } from '../../schema/block.ts'
import {
  type BlockHeaders,
  type DecodedBlocks,
  decodeBlocks,
  decodeHeaders,
  SCHEMA_VERSION,
} from '../../schema/topics.ts'

export type Step =
  | { kind: 'new'; offset: bigint; bytes: number; block: BlockRef; last: BlockRef; decoded: DecodedBlocks }
  | { kind: 'undo' | 'final' | 'handover'; offset: bigint; headers: BlockHeaders }
  | { kind: 'poison'; offset: bigint; message: Message; reason: string }

const reasonOf = (error: unknown): string =>
  error instanceof ZodError
    ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
    : messageOf(error)

/**
 * @throws OperatorError ASSAY_INGEST_SCHEMA_VERSION for a message of another schema version, which is no poison: the
 *   version that fits it will read it.
 */
export const readStep = (message: Message): Step => {
  const { offset, headers, value } = message
  const schema = headers.schema
  if (schema !== undefined && /^\d+$/.test(schema) && Number(schema) !== SCHEMA_VERSION) {
    throw new OperatorError(
      'ASSAY_INGEST_SCHEMA_VERSION',
      `Message ${message.topic}:${message.partition}:${offset} has schema version ${schema}; this scorer reads ${SCHEMA_VERSION}. It stays on the bus. Run indexer and scorer of one version.`,
    )
  }
  try {
    const parsed = decodeHeaders(headers)
    if (parsed.step !== 'new') return { kind: parsed.step, offset, headers: parsed }
    const decoded = decodeBlocks({ value, headers })
    const block = decoded.blocks[0]
    const last = decoded.blocks.at(-1)
    if (!block || !last) throw new RangeError('no blocks in the envelope')
    return { kind: 'new', offset, bytes: value.length, block, last, decoded }
  } catch (error) {
    return { kind: 'poison', offset, message, reason: reasonOf(error) }
  }
}
