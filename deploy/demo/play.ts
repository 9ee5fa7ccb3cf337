/** Plays the whole story on a fresh chain, checks every receipt, and writes down what a verdict should say of whom. */
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Logger } from '../../platform/context/log.ts'
import { BugError } from '../../platform/errors.ts'
import { loadUniswap, placeContracts } from './contracts/contracts.ts'
import { type ScenarioEntry, scenario, scenarioOf } from './expectations.ts'
import { createRpc, quantity, type Rpc, type RpcCall, toQuantity } from './node/rpc.ts'
import { filesOf, isSaved, saveState, writeWhole } from './node/state.ts'
import { type Actors, loadActors } from './story/actors.ts'
import { tellAuthorities } from './story/authorities.ts'
import { tellBusiness } from './story/business.ts'
import { tellCivilians } from './story/civilians.ts'
import { HISTORY_DAYS } from './story/days.ts'
import { type Fraud, tellDrainer, tellHoneypot, tellRug } from './story/frauds.ts'
import { FEES } from './story/live.ts'
import { type Market, tellMarket } from './story/market.ts'
import { tellMixers } from './story/mixers.ts'
import { createRandom } from './story/random.ts'
import { createTimeline, type PlannedBlock, type PlannedTransaction } from './story/timeline.ts'

const DAY_S = 86_400
const SEED = 20_260_101
const EXCHANGE_WEI = 500_000n * 10n ** 18n
/** Most a transaction of the story needs is about 2.6 M: deploying a pair. */
const GAS = toQuantity(3_500_000)
const BLOCKS_PER_CHECK = 25

/** How much of the story is on the chain. */
export type Progress = { blocks: number; ofBlocks: number; transactions: number }
/** Which chain the story is played on, and where its expectations are written. */
export type ScenarioOptions = {
  rpcUrl: string
  dataDir: string
  log: Logger
  onProgress?: (progress: Progress) => void
}
/** What is on the chain, and what verdicts should come to. */
export type ScenarioResult = {
  /** False when it had been played before: the chain goes on from there. */
  played: boolean
  scenarioFile: string
  entries: ScenarioEntry[]
  blocks: number
  transactions: number
}

/** What the story is about, for tests and for the table of expectations. */
export type Story = {
  actors: Actors
  market: Market
  rug: Fraud
  honeypot: Fraud
  drainer: Fraud
  blocks: PlannedBlock[]
}

/** Tells the story without a chain: same actors, same story. @throws OperatorError ASSAY_DEMO_PACKAGE_MISSING */
export const tellStory = (actors: Actors): Story => {
  const random = createRandom(SEED)
  const timeline = createTimeline(actors)
  const market = tellMarket(timeline, loadUniswap().pairCodeHash)
  const balancesByName = tellCivilians(timeline, market, random)
  tellBusiness(timeline, market, random)
  tellAuthorities(timeline)
  tellMixers(timeline)
  const rug = tellRug(timeline, market)
  const honeypot = tellHoneypot(timeline, market)
  const drainer = tellDrainer(timeline, market, balancesByName)
  return { actors, market, rug, honeypot, drainer, blocks: timeline.plan() }
}

const request = ({ from, to, data, value, nonce }: PlannedTransaction): RpcCall => [
  'eth_sendTransaction',
  [
    {
      from,
      ...(to ? { to } : {}),
      ...(data ? { data } : {}),
      ...{ value: toQuantity(value), nonce: toQuantity(nonce), gas: GAS, ...FEES },
    },
  ],
]

const receipts = z.array(z.object({ transactionHash: z.string(), status: z.string() }))

/** @throws BugError ASSAY_DEMO_STEP_FAILED when a transaction is missing or ended otherwise than meant */
const checkBlock = (block: PlannedBlock, hashes: readonly unknown[], answer: unknown): void => {
  const statuses = new Map(receipts.parse(answer).map((receipt) => [receipt.transactionHash, receipt.status]))
  block.transactions.forEach(({ reverts, label }, index) => {
    const status = statuses.get(String(hashes[index]))
    if (status === (reverts ? '0x0' : '0x1')) return
    throw new BugError(
      'ASSAY_DEMO_STEP_FAILED',
      `On day ${block.time.toFixed(2)}, "${label}" ${status === undefined ? 'was not mined' : reverts ? 'succeeded' : 'failed'}. The demonstration stopped. Report it.`,
    )
  })
}

const playBlocks = async (
  rpc: Rpc,
  blocks: readonly PlannedBlock[],
  start: number,
  onProgress: (progress: Progress) => void,
) => {
  const before = quantity.parse(await rpc.call('eth_blockNumber'))
  let transactions = 0
  let last = start
  let unchecked: { block: PlannedBlock; hashes: unknown[]; receipts: RpcCall }[] = []
  for (const [index, block] of blocks.entries()) {
    last = Math.max(last + 1, start + Math.round(block.time * DAY_S))
    const hashes = await rpc.batch(block.transactions.map(request))
    await rpc.call('evm_mine', { timestamp: last })
    transactions += block.transactions.length
    unchecked.push({ block, hashes, receipts: ['eth_getBlockReceipts', [toQuantity(before + index + 1)]] })
    if (unchecked.length < BLOCKS_PER_CHECK && index + 1 < blocks.length) continue
    const answers = await rpc.batch(unchecked.map((entry) => entry.receipts))
    for (const [position, entry] of unchecked.entries()) checkBlock(entry.block, entry.hashes, answers[position])
    unchecked = []
    onProgress({ blocks: index + 1, ofBlocks: blocks.length, transactions })
  }
  return transactions
}

/**
 * Plays the story, unless the folder says that it was played: then the chain behind `rpcUrl` is taken to be the resumed
 * one. The chain is saved before the scenario file is written, so a crash in between plays again on a fresh chain.
 * @throws OperatorError ASSAY_DEMO_PACKAGE_MISSING
 * @throws BugError ASSAY_DEMO_STEP_FAILED, ASSAY_DEMO_CALL_REFUSED
 */
export const playScenario = async ({
  rpcUrl,
  dataDir,
  log,
  onProgress = () => {},
}: ScenarioOptions): Promise<ScenarioResult> => {
  const { scenario: scenarioFile } = filesOf(dataDir)
  if (isSaved(dataDir) && existsSync(scenarioFile)) {
    const entries = scenario.parse(JSON.parse(readFileSync(scenarioFile, 'utf8')))
    return { played: false, scenarioFile, entries, blocks: 0, transactions: 0 }
  }
  const uniswap = loadUniswap()
  const rpc = createRpc(rpcUrl)
  const actors = await loadActors(rpc)
  const story = tellStory(actors)
  await rpc.call('anvil_setBalance', actors.exchange, toQuantity(EXCHANGE_WEI))
  await placeContracts(rpc, uniswap, { issuer: actors.issuer, keeper: actors['oracle-keeper'] })
  const start = Math.floor(Date.now() / 1000) - HISTORY_DAYS * DAY_S
  const transactions = await playBlocks(rpc, story.blocks, start, onProgress)
  await rpc.call('evm_mine', { timestamp: Math.floor(Date.now() / 1000) })
  const entries = scenarioOf(story)
  writeWhole(scenarioFile, `${JSON.stringify(entries, null, 2)}\n`)
  await saveState(rpc, dataDir)
  log.info({ blocks: story.blocks.length, transactions }, 'played the scenario')
  return { played: true, scenarioFile, entries, blocks: story.blocks.length + 1, transactions }
}
