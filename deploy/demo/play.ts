/** Plays the scenario on a fresh chain, checks every receipt and writes the expected verdicts to `scenario.json`. */
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Logger } from '../../platform/context/log.ts'
import { BugError } from '../../platform/errors.ts'
import { loadUniswap, placeContracts } from './contracts/contracts.ts'
import { type ScenarioEntry, scenario, scenarioOf } from './expectations.ts'
import { createRpc, quantity, type Rpc, type RpcCall, toQuantity } from './node/rpc.ts'
import { filesOf, isSaved, saveState, writeAtomic } from './node/state.ts'
import { type Actors, loadActors } from './scenario/actors.ts'
import { planAuthorities } from './scenario/authorities.ts'
import { planBusinesses } from './scenario/business.ts'
import { HISTORY_DAYS } from './scenario/days.ts'
import { type Fraud, planDrainer, planHoneypot, planRugPull } from './scenario/frauds.ts'
import { FEES } from './scenario/live.ts'
import { type Market, planMarket } from './scenario/market.ts'
import { planMixers } from './scenario/mixers.ts'
import { planOrdinaryWallets } from './scenario/ordinary-wallets.ts'
import { createRandom } from './scenario/random.ts'
import { createTimeline, type PlannedBlock, type PlannedTransaction } from './scenario/timeline.ts'

const DAY_S = 86_400
const SEED = 20_260_101
const EXCHANGE_WEI = 500_000n * 10n ** 18n
/** Gas limit of every transaction. The most expensive one, the deployment of a pair, needs about 2.6 M. */
const GAS = toQuantity(3_500_000)
const BLOCKS_PER_CHECK = 25

/** How much of the scenario is on the chain. */
export type Progress = { blocks: number; ofBlocks: number; transactions: number }
/** The chain to play on, and the folder for the expected verdicts. */
export type ScenarioOptions = {
  rpcUrl: string
  dataDir: string
  log: Logger
  onProgress?: (progress: Progress) => void
}
/** What was played, and the expected verdicts. */
export type ScenarioResult = {
  /** False if an earlier start played the scenario; its chain continues. */
  played: boolean
  scenarioFile: string
  entries: ScenarioEntry[]
  blocks: number
  transactions: number
}

/** The planned blocks, and the actors and contracts in them. */
export type ScenarioPlan = {
  actors: Actors
  market: Market
  rug: Fraud
  honeypot: Fraud
  drainer: Fraud
  blocks: PlannedBlock[]
}

/** Plans all transactions without a chain. Deterministic for the same actors. @throws OperatorError ASSAY_DEMO_PACKAGE_MISSING */
export const planScenario = (actors: Actors): ScenarioPlan => {
  const random = createRandom(SEED)
  const timeline = createTimeline(actors)
  const market = planMarket(timeline, loadUniswap().pairCodeHash)
  const balancesByName = planOrdinaryWallets(timeline, market, random)
  planBusinesses(timeline, market, random)
  planAuthorities(timeline)
  planMixers(timeline)
  const rug = planRugPull(timeline, market)
  const honeypot = planHoneypot(timeline, market)
  const drainer = planDrainer(timeline, market, balancesByName)
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

/** @throws BugError ASSAY_DEMO_STEP_FAILED if a transaction is missing or has an unexpected status */
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
 * Plays the scenario unless the folder has a saved chain and a scenario file; `rpcUrl` is then the resumed chain. A crash
 * before both exist leads to a replay on a fresh chain.
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
  const plan = planScenario(actors)
  await rpc.call('anvil_setBalance', actors.exchange, toQuantity(EXCHANGE_WEI))
  await placeContracts(rpc, uniswap, { issuer: actors.issuer, keeper: actors['oracle-keeper'] })
  const start = Math.floor(Date.now() / 1000) - HISTORY_DAYS * DAY_S
  const transactions = await playBlocks(rpc, plan.blocks, start, onProgress)
  await rpc.call('evm_mine', { timestamp: Math.floor(Date.now() / 1000) })
  const entries = scenarioOf(plan)
  writeAtomic(scenarioFile, `${JSON.stringify(entries, null, 2)}\n`)
  await saveState(rpc, dataDir)
  log.info({ blocks: plan.blocks.length, transactions }, 'played the scenario')
  return { played: true, scenarioFile, entries, blocks: plan.blocks.length + 1, transactions }
}
