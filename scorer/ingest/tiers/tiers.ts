/**
 * The storage tiers of one network and epoch: history is written directly to the final tables, the head topic to the hot ones (with
 * instant finality to the final ones too), and rows from before the first block to the past tier.
 */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Clock } from '../../../platform/context/clock.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { type ChunkLedger, createChunkLedger } from '../chunks/chunks.ts'
import type { StorageTier } from '../chunks/consumer.ts'
import type { NewStep, Step } from '../chunks/messages.ts'
import { createCovered } from '../covered/covered.ts'
import { createReplay } from '../covered/replay.ts'
import { createHead, type Head, type HeadOptions } from '../head.ts'
import { type Continuity, createContinuity, type Missing } from '../position/continuity.ts'
import { createFinalHead } from '../position/final-head.ts'
import { createPosition, type Position } from '../position/position.ts'
import { renewHead } from '../repair.ts'
import type { OnStep } from '../steps.ts'
import { createWatermarks } from '../watermark.ts'
import { createFinalTier } from './final-tier.ts'
import { createPastTier } from './past-tier.ts'

/** The parts of one network's ingest. */
export type Tiers = {
  ledger: ChunkLedger
  position: Position
  continuity: Continuity
  history: StorageTier
  head: StorageTier
  /** Rows from before the first covered block. */
  past: StorageTier
  /** Moves hot blocks; absent with instant finality. */
  mover: Head | undefined
}

const isNew = (step: Step): step is NewStep => step.kind === 'new'

/** Creates the tiers without opening or reading anything. `report` receives what the head waits for. */
export const createTiers = (
  { store, bus, network, clock, onStep }: { store: Store; bus: Bus; network: Network; clock: Clock; onStep: OnStep },
  epoch: number,
  options: HeadOptions,
  report: (missing: Missing) => void,
): Tiers => {
  const ledger = createChunkLedger(store, epoch)
  const headTopic = topics.head(network)
  const finalAtOnce = networkInfo(network).reorgWindow === 0
  const position: Position = createPosition({ bus, ledger, network }, async () =>
    finalAtOnce ? (await ledger.newest([headTopic])).length > 0 : (await watermarks.current())?.epoch === epoch,
  )
  const log = () => position.logOf(headTopic)
  const watermarks = createWatermarks(store, network, epoch, log)
  const covered = createCovered(store, network, epoch)
  const replay = createReplay(store, network)
  const { historyUnderWay } = position
  const continuity = createContinuity({ network, covered, historyUnderWay, report })
  const final = createFinalTier({ store, network, epoch, covered, replay, onStep })
  const finalHead = createFinalHead({ network, covered, continuity, clock })

  const history: StorageTier = {
    name: 'final',
    prepare: async (steps) => steps.length,
    apply: (chunk, steps) => final.apply(chunk, steps.filter(isNew)),
    stopsAtPoison: false,
  }
  const earlier = createPastTier(store, clock, onStep)
  const past: StorageTier = {
    name: 'past',
    prepare: async (steps) => steps.length,
    apply: (chunk, steps) => earlier.apply(chunk, steps.filter(isNew)),
    // States are cumulative: the state after a skipped message would claim that its log is complete.
    stopsAtPoison: true,
  }
  if (finalAtOnce) {
    const head: StorageTier = {
      name: 'final',
      prepare: finalHead.prepare,
      apply: (chunk, steps) => {
        const undo = steps.find((step) => step.kind === 'undo')
        if (undo?.kind === 'undo') {
          throw new OperatorError(
            'ASSAY_INGEST_UNDO_OF_FINAL',
            `The head topic of ${network} undoes block ${undo.headers.from}, but blocks of this network are final immediately. The network stopped and nothing was changed. Compare the indexer's node with others; if the chain did revert finalized blocks, ${renewHead(network)}.`,
          )
        }
        return final.apply(chunk, steps.filter(isNew))
      },
      stopsAtPoison: true,
    }
    return { ledger, position, continuity, history, head, past, mover: undefined }
  }
  const calledFinal = async () =>
    (await ledger.latest({ topic: headTopic, partition: 0, log: log() ?? '' }))?.finalized ?? 0
  const mover = createHead(
    { store, network, watermarks, covered, replay, onStep, clock, continuity, calledFinal },
    options,
  )
  const head: StorageTier = {
    name: 'hot',
    prepare: mover.prepare,
    apply: (chunk, steps) => mover.apply(steps, chunk.finalized),
    stopsAtPoison: true,
  }
  return { ledger, position, continuity, history, head, past, mover }
}
