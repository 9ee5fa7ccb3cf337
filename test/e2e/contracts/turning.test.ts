/** A sanction turns the answers of all five operations, with real parts: scorer, bus, contract stream, API. */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProviders } from '../../../api/answers/providers/providers.ts'
import { followRecords } from '../../../api/answers/reader/follow.ts'
import { createModel } from '../../../deploy/roles/model.ts'
import type { Bus, Producer } from '../../../platform/bus/bus.ts'
import { openBus } from '../../../platform/bus/index.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { CreationRow } from '../../../schema/block.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { topics } from '../../../schema/topics.ts'
import { createRequeueByCreator } from '../../../scorer/contracts/records/creator-verdicts.ts'
import { createContractRecords } from '../../../scorer/contracts/records/records.ts'
import { createContractStream } from '../../../scorer/contracts/records/stream.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { type Finding, writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { createProfiles } from '../../../scorer/profile/profile.ts'
import { rescoreMessages } from '../../../scorer/rescore/queue.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createScoring } from '../../../scorer/rescore/stream.ts'
import { recordMessages } from '../../../scorer/scoring/stored.ts'
import { startApi, testContext } from '../../contract/api/kit.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { until } from '../../kit/until.ts'
import { insertRows, named, rowsOf, type Tx } from '../../kit/world/transactions.ts'

const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0] ?? ''
const MAKERS = { 'an authority': 'listed maker', 'a label': 'labelled maker' } as const
const registry = contractRegistry('ETH')!
const contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))

let lab: Lab
let kit: TestStore
let bus: Bus
let producer: Producer
let context: Context
let started: Awaited<ReturnType<typeof startApi>>
let scoring: Awaited<ReturnType<typeof createScoring>>
let streaming: Promise<void>
const path = mkdtempSync(join(tmpdir(), 'assay-turning-'))
/** The five seconds in which all answers turn, on a machine that has a core for it: tests share theirs with others. */
const patience = () => 5_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
const tokens = new Map<string, string>()

beforeAll(async () => {
  ;[lab, kit] = await Promise.all([startLab(), openTestStore()])
  await lab.installExchange('ETH')
  await lab.ask('anvil_mine', '0x100')
  context = testContext()
  const { store } = kit
  const { clock } = context
  const payments = Object.values(MAKERS).flatMap((maker): Tx[] =>
    // Long at rest: everything it did is in the first blocks.
    Array.from({ length: 12 }, (_, n) => ({ from: named(maker), to: named('shop'), block: n + 1, value: 10n ** 18n })),
  )
  await insertRows(store, rowsOf(payments, { head: 40 }))
  for (const maker of Object.values(MAKERS)) {
    const from = lab.accounts[0] ?? ''
    const token = await lab.deploy(from, contracts.get('Impersonal')?.creation ?? '')
    await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
    tokens.set(maker, token)
    const row: CreationRow = {
      ...{ network: 'ETH', block_number: 1, block_time: 1_700_000_000, position: String(tokens.size), tx_hash: '0x01' },
      ...{ contract: token, event: 'create', creator: named(maker), root_creator: named(maker) },
      ...{ code_hash: '', code_size: 1 },
    }
    await store.insert('creations', `${JSON.stringify(row)}\n`)
  }
  bus = await openBus({ path, log: context.log })
  producer = await bus.producer()
  const rescore = createRescore({ context, store, model: createModel() })
  const queueJudged = createRequeueByCreator({ store, clock })
  let queued = 0
  scoring = await createScoring({
    ...{ context, networks: ['ETH'], store, bus, rescore },
    judged: async (network, verdicts) => {
      queued += await queueJudged(network, verdicts)
    },
  })
  const records = createContractRecords({
    ...{ context, store, rpc: { ETH: lab } },
    publish: (messages) => producer.send([{ topic: topics.records, messages }]),
    options: SHARED_THREADS,
  })
  const stream = createContractStream({
    ...{ context, store, records, network: 'ETH', registry, changes: () => queued },
    options: { startMs: 0 },
  })
  streaming = stream.run()
  started = await startApi(
    {
      providers: createProviders({
        ...{ store, clock, rescore, contracts: records },
        profiles: createProfiles({ context, store, rescore }),
        publish: (own) => producer.send([{ topic: topics.records, messages: recordMessages(own) }]),
      }),
    },
    context,
  )
  await followRecords(context, bus, started.api.reader)
})
afterAll(async () => {
  await scoring.close()
  await started.close()
  await streaming
  await producer.close()
  await bus.close()
  await Promise.all([lab.stop(), kit.close()])
  rmSync(path, { recursive: true, force: true })
})

const askAll = async (maker: string) => {
  // A machine that is slow for a while may refuse one as too slow, which a caller asks again.
  const ask = (route: string, walletAddress = named(maker)) =>
    until(`${route} answers`, async () => {
      const { status, body } = await started.ask(route, { network: 'ETH', walletAddress })
      return status === 200 && body
    })
  const [check, audit, segment, credit, rug] = await Promise.all([
    ask('/fraud/check'),
    ask('/fraud/audit'),
    ask('/segmentation/wallet-segment'),
    ask('/users/credit-score'),
    ask('/rug/pull-check', tokens.get(maker)),
  ])
  return {
    check: check.status,
    audit: audit.status,
    sanctioned: segment.sanctionData[0].isSanctioned,
    rating: credit.creditData.riskRating,
    rug: rug.probabilityFraud,
  }
}

const sanction: Record<keyof typeof MAKERS, (address: string) => Promise<void>> = {
  'an authority': async (subject) => {
    const listing: Tx = {
      ...{ from: named('boss'), to: ORACLE, block: 41, call: true },
      actions: [{ do: 'authority', authority: ORACLE, event: 'sanction_add', subject }],
    }
    await insertRows(kit.store, rowsOf([listing], { from: 41, head: 42 }))
  },
  'a label': async (address) => {
    const finding: Finding = {
      ...{ network: 'ETH', address, label: 'sanctioned', detector: 'ofac-sdn', class: 'asserted', confidence: 1 },
      ...{ detector_version: '1', evidence: {}, tx_hash: '', block_number: 0, revoked: false, foundAt: Date.now() },
    }
    await writeLabels(kit.store, [finding])
  },
}

test.each(Object.keys(sanction) as (keyof typeof MAKERS)[])(
  'a sanction by %s turns all five answers about an idle wallet and its contract',
  async (by) => {
    const maker = MAKERS[by]
    const before = await askAll(maker)
    expect([before.check, before.audit, before.sanctioned]).toEqual(['Not Fraud', 'Not Fraud', false])
    expect(before.rating).toBeGreaterThan(1)
    await sanction[by](named(maker))
    // As ingest and the import of labels do.
    await producer.send([{ topic: topics.rescore('ETH'), messages: rescoreMessages([named(maker)]) }])
    await until(
      'all five have turned',
      async () => {
        const after = await askAll(maker)
        const turned = [after.check, after.audit, after.sanctioned, after.rating].join() === 'Fraud,Fraud,true,1'
        return turned && after.rug > before.rug
      },
      patience(),
    )
  },
)
