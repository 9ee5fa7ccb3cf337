/** The reasons of a verdict, and verdicts of many wallets, with the real scorer over a small chain. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExplanations } from '../../../api/answers/providers/explanations/explanations.ts'
import { createFraudProvider } from '../../../api/answers/providers/fraud.ts'
import { createProfileProviders } from '../../../api/answers/providers/profile.ts'
import { createModel } from '../../../deploy/roles/model.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'
import {
  creditExplanation,
  explanation,
  rugExplanation,
  rugHistory,
  segmentExplanation,
} from '../../../schema/records/explained/explanations.ts'
import { EXPLANATIONS } from '../../../schema/records/extensions.ts'
import { fraudRecord } from '../../../schema/records/fraud.ts'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { loadExposureReport } from '../../../scorer/ledger/exposure/load.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { createProfiles } from '../../../scorer/profile/profile.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { insertRows, named, rowsOf, type Tx } from '../../kit/world/transactions.ts'
import { documentedBy } from './documents/openapi.kit.ts'
import { bodyOf, ENTERPRISE_KEY, memoryProvider, startApi, testContext, UNSEEN } from './kit.ts'

const ETH = 10n ** 18n
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
const listing: Tx = {
  from: named('boss'),
  to: ORACLE,
  block: 30,
  call: true,
  actions: [{ do: 'authority', authority: ORACLE, event: 'sanction_add', subject: named('bad') }],
}
const payments = (from: string, to: string): Tx[] =>
  Array.from({ length: 12 }, (_, n) => ({ from: named(from), to: named(to), block: n + 1, value: ETH }))

let kit: TestStore
let started: Awaited<ReturnType<typeof startApi>>
let expectDocumented: Awaited<ReturnType<typeof documentedBy>>
beforeAll(async () => {
  kit = await openTestStore()
  const context = testContext()
  const rescore = createRescore({ context, store: kit.store, model: createModel() })
  started = await startApi(
    {
      providers: {
        fraud_check: createFraudProvider({ store: kit.store, clock: context.clock, rescore, publish: async () => {} }),
        ...createProfileProviders({
          store: kit.store,
          profiles: createProfiles({ context, store: kit.store, rescore }),
        }),
        rug_pull: memoryProvider('rug_pull', { lookups: [], computed: [] }),
      },
      explanations: createExplanations({
        store: kit.store,
        exposure: ({ network, address }) => loadExposureReport(kit.store, network, address),
      }),
      rateLimits: [{ tier: 'business', limit: 100, windowMs: 3_600_000 }],
    },
    context,
  )
  expectDocumented = await documentedBy(started.app)
  await insertRows(kit.store, rowsOf([...payments('good', 'shop'), ...payments('bad', 'shop')], { head: 20 }))
})
afterAll(async () => {
  await started.close()
  await kit.close()
})

const body = (name: string) => ({ network: 'ETH', walletAddress: named(name) })

test('an explanation has reasons, unknowns and the previous verdict', async () => {
  const clean = await started.ask('/fraud/explain', body('bad'))
  expect(clean.status).toBe(200)
  expectDocumented('/fraud/explain', 200, clean.body)
  expect(clean.body.status).not.toBe('Fraud')
  expect(clean.body.history).toHaveLength(1)

  await insertRows(kit.store, rowsOf([listing], { from: 21 }))
  expect((await started.ask('/fraud/check', { ...body('bad'), calculate: true })).body.status).toBe('Fraud')
  const { body: found } = await started.ask('/fraud/explain', body('bad'))
  expectDocumented('/fraud/explain', 200, found)
  const { reasons, history, dataHeight, probabilityFraud } = explanation.parse(found)
  expect([probabilityFraud, dataHeight]).toEqual(['1.00', 30])
  expect(reasons[0]).toMatchObject({
    code: 'SANCTIONED',
    title: expect.stringMatching(/^Listed as sanctioned by .+ on ETH$/),
    contribution: null,
  })
  expect(JSON.stringify(reasons[0]?.evidence)).toContain('0x1e-0')
  expect(reasons[0]?.change).toContain('removes the address from its list')
  expect(found.exposure.outgoing).toMatchObject({ usd: '24000.00', shares: { unknown: 1 } })
  expect(history.map(({ status }) => status)).toEqual(['Fraud', clean.body.status])
})

test('refuses an explanation in the same cases as a fraud check', async () => {
  const refused = async (input: unknown, headers = {}) => {
    const { status, body } = await started.ask('/fraud/explain', input, headers)
    expectDocumented('/fraud/explain', status, body)
    return [status, body.error]
  }
  expect(await refused({ network: 'ETH' })).toEqual([400, 'INVALID_REQUEST'])
  expect(await refused(body('nobody'))).toEqual([404, 'NOT_FOUND'])
  expect(await refused(body('good'), { 'x-api-key': 'wrong' })).toEqual([401, 'KEY_INVALID'])
})

const summed = (reasons: readonly { contribution: number }[]) =>
  reasons.reduce((sum, { contribution }) => sum + contribution, 0)

test('the components of a segment and of a credit score add up to it, for clean and flagged wallets', async () => {
  for (const name of ['good', 'bad', 'shop']) {
    const segment = await started.ask('/segmentation/explain', body(name))
    expectDocumented('/segmentation/explain', 200, segment.body)
    const { walletQuality, segment: letter, thresholds, reasons } = segmentExplanation.parse(segment.body)
    const record = await started.ask('/segmentation/wallet-segment', body(name))
    expect([walletQuality, Math.round(summed(reasons))]).toEqual([record.body.walletQuality, walletQuality])
    expect(letter).toBe(walletQuality >= thresholds.A ? 'A' : walletQuality >= thresholds.B ? 'B' : 'C')

    const credit = await started.ask('/users/credit-score/explain', body(name))
    expectDocumented('/users/credit-score/explain', 200, credit.body)
    const { riskRating, base, reasons: components, unknowns } = creditExplanation.parse(credit.body)
    const rated = await started.ask('/users/credit-score', body(name))
    expect([riskRating, Math.round(base + summed(components))]).toEqual([rated.body.creditData.riskRating, riskRating])
    expect(unknowns).toContain('counterparties: fewer than five with a record of their own')
    for (const [code, most] of [...reasons, ...components].map(({ code, most }) => [code, most] as const)) {
      expect(most === 0, code).toBe(code === 'FLAGGED' || code === 'NEW_ADDRESS')
    }
    const flagged = components.find(({ code }) => code === 'FLAGGED')
    expect(flagged?.evidence).toEqual(name === 'bad' ? { flags: ['sanctioned'] } : undefined)
  }
})

const CONTRACT = `0x${'cc'.repeat(20)}`
const contractRow = {
  network: 'ETH',
  address: CONTRACT,
  version: 1,
  token: CONTRACT,
  status: 'Fraud',
  probability: 0.97,
  risk_score: 100,
  body: '{}',
  reasons: JSON.stringify({
    risk: [
      { code: 'not_in_dex', contribution: 4, evidence: [] },
      { code: 'is_honeypot', contribution: 100, evidence: ['selling is refused'] },
    ],
    fraud: [
      {
        code: 'liquidity_removed',
        contribution: 0.95,
        evidence: ['insider took 14.5 WETH in 0x01'],
        amounts: [{ address: named('bad'), transaction: '0x01', amount: '14.5', unit: 'WETH', usd: '29000.00' }],
      },
    ],
  }),
  unknowns: JSON.stringify({ is_mintable: 'not all of the code could be read' }),
  model_version: 'code-1',
  data_height: 30,
  tables_height: 29,
}

test('returns the verdict on a contract at any time with a hash that anyone can recompute', async () => {
  const rows = ['2026-05-04T12:00:00.000Z', '2026-06-04T12:00:00.000Z'].map((at, nth) => {
    const { message: _message, ...record } = JSON.parse(bodyOf('rug_pull', 'ETH'))
    const { network, address, status, reasons, unknowns, model_version, data_height, tables_height } = contractRow
    const verdict = {
      network,
      address,
      version: Date.parse(at),
      status,
      probability: 0.5 + nth / 4,
      risk_score: 84 + nth,
    }
    const body = JSON.stringify({ message: 'Success', ...record, risk_score: 84 + nth })
    const computed_at = Date.parse(at) / 1_000
    return { ...verdict, body, reasons, unknowns, model_version, data_height, tables_height, computed_at }
  })
  await kit.store.insert('contract_history', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await kit.store.insert('contract_records', `${JSON.stringify(contractRow)}\n`)
  const told = async (upTo?: number) => {
    const request = { network: 'ETH', walletAddress: CONTRACT, ...(upTo && { upTo }) }
    const { status, body: answer } = await started.ask('/rug/history', request)
    expect(status).toBe(200)
    expectDocumented('/rug/history', 200, answer)
    return rugHistory.parse(answer)
  }
  const { verdicts } = await told()
  expect(verdicts.map(({ version, risk_score, record }) => [version, risk_score, record.risk_score])).toEqual(
    rows.toReversed().map(({ version, risk_score }) => [version, risk_score, risk_score]),
  )
  for (const [nth, row] of rows.toReversed().entries()) {
    const { network, address, version, status, probability, risk_score, model_version, data_height } = row
    const { computed_at, body, reasons, unknowns } = row
    const kept = [network, address, version, status, probability, risk_score, model_version, data_height]
    const text = [...kept, computed_at, body, reasons, unknowns].join('\n')
    expect(verdicts[nth]?.hash).toBe(createHash('sha256').update(text).digest('hex'))
  }
  expect((await told((rows[1]?.version ?? 0) - 1)).verdicts).toEqual(verdicts.slice(1))
})

test('explains a contract from its stored record, with reasons for unknown flags', async () => {
  await kit.store.insert('contract_records', `${JSON.stringify(contractRow)}\n`)
  const { status, body: answer } = await started.ask('/rug/explain', { network: 'ETH', walletAddress: CONTRACT })
  expect(status).toBe(200)
  expectDocumented('/rug/explain', 200, answer)
  const { reasons, ...rest } = rugExplanation.parse(answer)
  expect(rest).toMatchObject({
    contractAddress: CONTRACT,
    status: 'Fraud',
    risk_score: 100,
    risk_status: 'High Risk',
    unknowns: ['is_mintable: not all of the code could be read'],
    modelVersion: 'code-1',
    dataHeight: 30,
  })
  expect(reasons.map(({ score, code, contribution }) => [score, code, contribution])).toEqual([
    ['risk_score', 'is_honeypot', 100],
    ['risk_score', 'not_in_dex', 4],
    ['risk_score', 'limit', -4],
    ['probabilityFraud', 'liquidity_removed', 0.95],
  ])
  expect(reasons[0]).toMatchObject({
    title: 'Buyers cannot sell the token, or lose nearly all of its value',
    evidence: { findings: ['selling is refused'] },
  })
  expect(reasons[3]?.evidence.amounts).toEqual([
    { address: named('bad'), transaction: '0x01', amount: '14.5', unit: 'WETH', usd: '29000.00' },
  ])
})

test('refuses every explanation in the same cases as its operation', async () => {
  const answered = async (path: string, input: unknown) => {
    const { status, body } = await started.ask(path, input)
    expectDocumented(path, status, body)
    return `${status} ${body.error}`
  }
  for (const { path, explains } of EXPLANATIONS) {
    const nobody = { network: 'ETH', walletAddress: explains === 'rug_pull' ? UNSEEN.evm : named('nobody') }
    expect([path, await answered(path, nobody)]).toEqual([path, '404 NOT_FOUND'])
    expect([path, await answered(path, { network: 'ETH' })]).toEqual([path, '400 INVALID_REQUEST'])
    // No operation that is explained has all networks.
    const without = NETWORK_CODES.find((network) => !OPERATIONS[explains].networks.includes(network))
    expect([path, await answered(path, { network: without, walletAddress: 'x' })]).toEqual([
      path,
      '400 INVALID_REQUEST',
    ])
  }
})

test('a batch answers each wallet like a single call, invalid ones in their place', async () => {
  const wallets = [body('good'), { network: 'ETH', walletAddress: '0x1' }, body('nobody'), 'text', body('bad')]
  const { status, body: answer } = await started.ask('/fraud/batch', { wallets })
  expect(status).toBe(200)
  expectDocumented('/fraud/batch', 200, answer)
  expect(answer.results.map((item: { index: number; status: number }) => [item.index, item.status])).toEqual([
    [0, 200],
    [1, 400],
    [2, 404],
    [3, 400],
    [4, 200],
  ])
  expect(fraudRecord.parse(answer.results[0].result).walletAddress).toBe(named('good'))
  expect(answer.results[1].result.details[0].field).toBe('walletAddress')
  const lines = await started.app.inject({
    method: 'POST',
    url: '/fraud/batch',
    headers: { 'x-api-key': ENTERPRISE_KEY, accept: 'application/x-ndjson', 'content-type': 'application/json' },
    payload: JSON.stringify({ wallets }),
  })
  expect(lines.headers['content-type']).toContain('application/x-ndjson')
  const parsed = lines.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(parsed.map(({ status }) => status)).toEqual([200, 400, 404, 400, 200])
})

test('the history has each verdict with its reasons, and finds the one in force at a version', async () => {
  const address = named('changing')
  const reason = (title: string) => [{ code: 'X', title, contribution: 1, evidence: {}, change: null }]
  const row = (version: number, status: string, title: string) => ({
    network: 'ETH',
    address,
    version,
    status,
    probability: 0.25,
    reasons: JSON.stringify(reason(title)),
    model_version: 'm',
    data_height: version,
    computed_at: 1_700_000_000 + version,
  })
  await insertRows(kit.store, rowsOf(payments('changing', 'shop'), { head: 20 }))
  const rows = [row(10, 'New Address', 'first'), row(20, 'Not Fraud', 'second'), row(20, 'Not Fraud', 'second')]
  await kit.store.insert('record_history', rows.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const at = async (upTo?: number) => {
    const answer = await started.ask('/fraud/history', { ...body('changing'), ...(upTo && { upTo }) })
    expectDocumented('/fraud/history', answer.status, answer.body)
    return answer.body.verdicts as { version: number; hash: string; reasons: { title: string }[] }[]
  }
  // Asked for the first time it is scored, which is a version of its own.
  expect((await at()).slice(1).map(({ version, reasons }) => [version, reasons[0]?.title])).toEqual([
    [20, 'second'],
    [10, 'first'],
  ])
  const [inForce] = await at(19)
  expect(inForce).toMatchObject({ version: 10, status: 'New Address', probabilityFraud: '0.25', dataHeight: 10 })
  expect(await at(9)).toEqual([])
  // A stranger who has the tables makes the same hash.
  const lines = ['ETH', address, '10', 'New Address', '0.25', 'm', '10', '1700000010', JSON.stringify(reason('first'))]
  expect(inForce?.hash).toBe(createHash('sha256').update(lines.join('\n')).digest('hex'))
  for (const upTo of [0, -1, 1.5, '20'])
    expect((await started.ask('/fraud/history', { ...body('changing'), upTo })).status).toBe(400)
})

test('lists the largest counterparties in each direction, with their number, attribution, and where tracing stops', async () => {
  const ETHER = 10n ** 18n
  const payers = Array.from({ length: 15 }, (_, n) => named(`payer ${n}`))
  await insertRows(
    kit.store,
    rowsOf([
      ...payers.map((from, n) => ({ from, to: named('hub'), block: 10 + n, value: ETHER * BigInt(n + 1) })),
      { from: named('payer 0'), to: named('hub'), block: 30, value: 5n },
      { from: named('hub'), to: named('sink'), block: 31, value: ETHER / 2n },
    ]),
  )
  await writeLabels(kit.store, [
    {
      network: 'ETH',
      address: named('sink'),
      label: 'service',
      detector: 'list',
      class: 'reported',
      confidence: 0.95,
      detector_version: '1',
      evidence: { name: 'Sink & Sons', kind: 'exchange' },
      tx_hash: '',
      block_number: 0,
      foundAt: Date.now(),
    },
  ])
  const { status, body: answer } = await started.ask('/fraud/counterparties', body('hub'))
  expect(status).toBe(200)
  expectDocumented('/fraud/counterparties', 200, answer)
  const { incoming, outgoing, unit } = answer
  expect([unit, incoming.counterparties, incoming.value]).toEqual(['ETH', 15, '120.000000000000000005'])
  expect(incoming.largest.map(({ address, value }: { address: string; value: string }) => [address, value])).toEqual(
    payers
      .slice(5)
      .map((payer, n) => [payer, String(n + 6)])
      .reverse(),
  )
  expect(outgoing.largest).toMatchObject([
    {
      address: named('sink'),
      value: '0.5',
      movements: 1,
      tokens: 0,
      category: 'exchange',
      name: 'Sink & Sons',
      stop: 'exchange',
    },
  ])
})

test('amounts in evidence are exact above 2^53, with their unit and dollars', async () => {
  const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  // Neither is a number that JavaScript has.
  const [wei, cents] = [9_007_199_254_740_993_000_000_000_000_000_001n, 9_007_199_254_740_993n]
  await writeLabels(kit.store, [
    {
      network: 'ETH',
      address: named('market'),
      label: 'darknet',
      class: 'reported',
      confidence: 0.95,
      detector: 'list',
      detector_version: '1',
      evidence: {},
      tx_hash: '',
      block_number: 0,
      foundAt: Date.now(),
    },
  ])
  const paid: Tx[] = [
    { from: named('buyer'), to: named('market'), block: 15, value: wei },
    {
      from: named('buyer'),
      to: USDC,
      block: 16,
      call: true,
      actions: [{ do: 'token', from: named('buyer'), to: named('market'), asset: USDC, amount: cents }],
    },
  ]
  await insertRows(kit.store, rowsOf([...payments('buyer', 'shop'), ...paid]))
  const { status, body: found } = await started.ask('/fraud/explain', body('buyer'))
  expectDocumented('/fraud/explain', 200, found)
  expect(status).toBe(200)
  const dark = explanation.parse(found).reasons.find(({ code }) => code === 'DARKWEB_TRANSACTIONS')
  expect(dark?.evidence.payments).toMatchObject([
    {
      asset: '',
      amount: { amount: '9007199254740993.000000000000000001', unit: 'ETH', usd: '18014398509481986000.00' },
    },
    { asset: USDC, amount: { amount: '9007199254.740993', unit: 'USDC', usd: '9007199254.74' } },
  ])
})

test('activity covers a wallet over time, from a given day, with the coverage of its past', async () => {
  const { status, body: answer } = await started.ask('/fraud/activity', body('good'))
  expect(status).toBe(200)
  expectDocumented('/fraud/activity', 200, answer)
  // Twelve blocks of ten minutes, of the first block of all on.
  expect([answer.step, answer.knownFrom, answer.cut, answer.otherAssets]).toEqual(['day', null, false, 0])
  expect(answer.steps.reduce((sum: number, { outgoing }: { outgoing: number }) => sum + outgoing, 0)).toBe(12)
  expect(answer.assets).toMatchObject([{ symbol: 'ETH', opening: null }])
  const later = await started.ask('/fraud/activity', { ...body('good'), from: '2999-01-01' })
  expect([later.body.from, later.body.to]).toEqual([answer.to, answer.to])
  for (const from of ['yesterday', '2026-02-30', 7])
    expect((await started.ask('/fraud/activity', { ...body('good'), from })).status).toBe(400)
})

test('lists contracts of a wallet newest first, with their number, code and findings', async () => {
  const make = (nth: number, code_hash: string): Tx => ({
    from: named('maker'),
    to: '',
    block: 40 + nth,
    actions: [{ do: 'create', contract: named(`made ${nth}`), code_hash }],
  })
  await insertRows(kit.store, rowsOf([...Array.from({ length: 51 }, (_, nth) => make(nth, 'same')), make(51, '')]))
  const analysed = (version: number, dead: number) =>
    JSON.stringify({
      network: 'ETH',
      address: named('made 50'),
      version,
      token: named('made 50'),
      status: dead ? 'Fraud' : 'Not Fraud',
      probability: dead ? 0.97 : 0.2,
      risk_score: 40,
      honeypot: 0,
      dead,
      computed_at: 1_700_000_000 + version,
    })
  await kit.store.insert('contract_records', `${analysed(2, 1)}\n${analysed(1, 0)}\n`)
  const { status, body: answer } = await started.ask('/fraud/creations', body('maker'))
  expect(status).toBe(200)
  expectDocumented('/fraud/creations', 200, answer)
  expect([answer.total, answer.newest.length]).toEqual([52, 50])
  expect(answer.newest.slice(0, 2)).toMatchObject([
    { contract: named('made 51'), codeHash: null, verdict: null },
    {
      contract: named('made 50'),
      codeHash: 'same',
      verdict: { status: 'Fraud', probabilityFraud: 0.97, honeypot: false, liquidityRemoved: true },
    },
  ])
  expect((await started.ask('/fraud/creations', body('good'))).body).toMatchObject({ total: 0, newest: [] })
})
