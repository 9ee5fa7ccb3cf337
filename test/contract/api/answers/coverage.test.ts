import { expect, test } from 'vitest'
import type { Coverage } from '../../../../schema/records/explained/coverage.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import { memoryProvider, startApi, testContext } from '../kit.ts'

const WALLET = `0xaa${'1'.padStart(38, '0')}`
const KNOWN: Coverage = {
  firstBlock: 100,
  firstBlockTime: '2026-07-14T09:00:00.000Z',
  storedBlock: 2_000,
  authorities: { complete: true, missing: {} },
}
const LACKING: Coverage = {
  ...KNOWN,
  authorities: { complete: false, missing: { sanctions: 'the log of the authority is not complete' } },
}

const WALLET_COVERAGE = {
  past: 'fresh' as const,
  why: 'it may have received something before block 100',
  fetched: null,
}

const start = async () => {
  const state: { coverage: Coverage | undefined } = { coverage: KNOWN }
  const calls = { lookups: [], computed: [] }
  const providers = Object.fromEntries(
    Object.values(OPERATIONS).map(({ id }) => {
      const { lookup, compute } = memoryProvider(id, calls)
      return [
        id,
        {
          lookup: async (subjects: Parameters<typeof lookup>[0], signal: AbortSignal) =>
            (await lookup(subjects, signal)).map((stored) => stored && { ...stored, dataHeight: 1_900 }),
          compute: async (subject: Parameters<typeof compute>[0], signal: AbortSignal) => {
            const stored = await compute(subject, signal)
            return stored && { ...stored, dataHeight: 1_950 }
          },
        },
      ]
    }),
  )
  const explain = async () => ({
    fields: {
      status: 'Not Fraud' as const,
      probabilityFraud: '0.01',
      reasons: [],
      unknowns: [],
      exposure: { unit: 'USD', incoming: NOTHING, outgoing: NOTHING },
      modelVersion: 'm',
      dataHeight: 1_900,
      computedAt: '2026-01-01T00:00:00.000Z',
      history: [],
    },
    coverage: { wallet: WALLET_COVERAGE },
  })
  const api = await startApi(
    { providers, explanations: { fraud_explain: explain }, coverage: () => state.coverage },
    testContext(),
  )
  const ask = async (path: string, more: object = {}) => {
    const { status, headers, body } = await api.ask(path, { network: 'ETH', walletAddress: WALLET, ...more })
    return { status, body, height: headers['x-assay-data-height'], coverage: headers['x-assay-coverage'] }
  }
  return { ...api, ask, state }
}
const NOTHING = { total: 0, shares: {}, contacts: [] }

test('every answer has the newest known block and the coverage of the network', async () => {
  const { ask, state, close, api } = await start()
  for (const { path } of Object.values(OPERATIONS)) {
    expect(await ask(path), path).toMatchObject({
      status: 200,
      height: '1900',
      coverage: 'from=100, to=2000, authorities=complete',
    })
  }
  expect(await ask('/fraud/check', { calculate: true })).toMatchObject({ height: '1950' })
  const { body } = await ask('/fraud/check')
  api.reader.refresh(
    'fraud_check',
    { network: 'ETH', address: WALLET },
    {
      body: JSON.stringify(body),
      version: Number.MAX_SAFE_INTEGER,
      dataHeight: 2_000,
    },
  )
  state.coverage = { ...LACKING, storedBlock: 2_001 }
  expect(await ask('/fraud/check')).toMatchObject({
    height: '2000',
    coverage: 'from=100, to=2001, authorities=incomplete',
  })
  await close()
})

test('an explanation has the coverage with a reason for each gap', async () => {
  const { ask, state, close } = await start()
  state.coverage = LACKING
  const { status, body, height } = await ask('/fraud/explain')
  expect([status, body.coverage, height]).toEqual([200, { ...LACKING, wallet: WALLET_COVERAGE }, '1900'])
  state.coverage = undefined
  expect((await ask('/fraud/explain')).body.coverage).toBe(null)
  await close()
})

test('nothing is claimed where nothing is known', async () => {
  const { ask, close } = await startApi()
  const { headers } = await ask('/fraud/check', { network: 'ETH', walletAddress: WALLET })
  expect([headers['x-assay-data-height'], headers['x-assay-coverage']]).toEqual([undefined, undefined])
  await close()
})
