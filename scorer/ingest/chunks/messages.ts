/** Decodes bus messages into steps of a chain. */
import { ZodError } from 'zod'
import type { Message } from '../../../platform/bus/bus.ts'
import { messageOf, OperatorError } from '../../../platform/errors.ts'
import {
  type BlockHeaders,
  type DecodedBlocks,
  decodeBlocks,
  decodeHeaders,
  SCHEMA_VERSION,
  type SentBlock,
} from '../../../schema/topics.ts'

/** A decoded message. `poison` cannot be decoded, or is part of blocks of which another part is missing. */
export type Step =
  | { kind: 'new'; offset: bigint; bytes: number; block: SentBlock; last: SentBlock; decoded: DecodedBlocks }
  | { kind: 'undo' | 'final' | 'handover'; offset: bigint; headers: BlockHeaders }
  | { kind: 'poison'; offset: bigint; message: Message; reason: string }

/** Blocks added to the chain, or a part of them if they do not fit into one message. */
export type NewStep = Extract<Step, { kind: 'new' }>

const reasonOf = (error: unknown): string =>
  error instanceof ZodError
    ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
    : messageOf(error)

/**
 * @throws OperatorError ASSAY_INGEST_SCHEMA_VERSION for another schema version. Such a message is not poison: the right version
 * reads it.
 */
const readStep = (message: Message): Step => {
  const { offset, headers, value } = message
  const schema = headers.schema
  if (schema !== undefined && /^\d+$/.test(schema) && Number(schema) !== SCHEMA_VERSION) {
    throw new OperatorError(
      'ASSAY_INGEST_SCHEMA_VERSION',
      `Message ${message.topic}:${message.partition}:${offset} has schema version ${schema}; this scorer reads ${SCHEMA_VERSION}. The message stays on the bus. Run the same version of indexer and scorer.`,
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

type Part = { step: NewStep; message: Message }

/** Whether `step` is the next part after `parts`. */
const continues = (parts: readonly Part[], { decoded: { headers } }: NewStep): boolean => {
  const first = parts[0]?.step.decoded.headers
  if (!first) return headers.part === 0
  const { part, of, to, hash } = headers
  return part === parts.length && of === first.of && to === first.to && hash === first.hash
}

/**
 * Decodes consecutive messages. If a part of blocks is missing or unreadable, their other parts become poison: half a block is worse
 * than none.
 * @returns the steps, and how many of the last messages are parts whose rest may follow
 */
export const readSteps = (messages: readonly Message[]): { steps: Step[]; open: number } => {
  const steps: Step[] = []
  let parts: Part[] = []
  const giveUp = () => {
    const reason = 'another part of its blocks is missing or cannot be read'
    steps.push(...parts.map(({ step: { offset }, message }): Step => ({ kind: 'poison', offset, message, reason })))
    parts = []
  }
  for (const message of messages) {
    const step = readStep(message)
    if (step.kind !== 'new' || !continues(parts, step)) giveUp()
    if (step.kind !== 'new') steps.push(step)
    else if (!continues(parts, step)) {
      steps.push({ kind: 'poison', offset: step.offset, message, reason: 'an earlier part of its blocks is missing' })
    } else {
      parts.push({ step, message })
      if (parts.length < step.decoded.headers.of) continue
      steps.push(...parts.map((part) => part.step))
      parts = []
    }
  }
  const open = parts.length
  giveUp()
  return { steps, open }
}

/** Blocks that the steps complete: those of the last part of each message. */
export const blocksOf = (steps: readonly NewStep[]): SentBlock[] =>
  steps.flatMap(({ decoded: { headers, blocks } }) => (headers.part === headers.of - 1 ? blocks : []))
