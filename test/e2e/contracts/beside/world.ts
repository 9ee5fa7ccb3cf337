/** A chain with tokens and pools, and tables that know more of them than the node does. One for all tests of the folder. */
import { afterAll, beforeAll, expect } from 'vitest'
import { createRugExplain } from '../../../../api/answers/providers/explanations/contract.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { rugBody } from '../../../../schema/records/rug.ts'
import { type ContractRecords, createContractRecords } from '../../../../scorer/contracts/records/records.ts'
import { contractRegistry } from '../../../../scorer/contracts/subject/registry.ts'
import { SHARED_THREADS } from '../../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../../kit/contracts/solidity/files.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'

export const ZERO = `0x${'0'.repeat(40)}`
export const E18 = 10n ** 18n
export const LAUNCHPAD = '0x00000000000000000000000000000000001a0ad0'
export const registry = contractRegistry('ETH')!
export const contracts = compiledFile(new URL('../../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))
export const pad = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')
export const word = (value: bigint): string => value.toString(16).padStart(64, '0')
export const now = Math.floor(Date.now() / 1_000)
/** Blocks that the tables hold. */
export const whole = { epoch: 1, slot: 1, first_block: 1, last_block: 1_000_000, claimed_by: '', version: 1 }
/** Where rows of the tables stand that are of no block in particular. */
export const head = { block_number: 5, block_time: now - 90 * 86_400, tx_hash: '0x01' }

const [exchange] = registry.exchanges.flatMap((item) => (item.kind === 'v2' ? [item] : []))
const factory = exchange?.factory ?? ''

/** What the chain and the tables of one run are. */
type Started = {
  lab: Lab
  opened: TestStore
  records: ContractRecords
  /** Who deploys, lower case. */
  from: string
  /** Known to the registry of these tests: a dollar that prices the native coin, and an asset that is no base. */
  dollar: string
  asset: string
  /** An asset nobody knows, with a deep pool, and one with next to nothing in its pool. */
  stranger: string
  worthless: string
  /** Of the registry, but nobody can be given any. */
  scattered: string
}

const deployed = ({ lab, from }: Pick<Started, 'lab' | 'from'>, name: string) =>
  lab.deploy(from, contracts.get(name)?.creation ?? '')

const listed = async (chain: Pick<Started, 'lab' | 'from'>, name: string, native = 20n * E18) => {
  const { lab, from } = chain
  const token = await deployed(chain, name)
  const pair = await lab.addLiquidity('ETH', from, token, 500_000n * E18, native)
  if (/Honeypot|ClosesByAge|PatientGarden/.test(name))
    await lab.send({ from, to: token, data: `0x4437152a${pad(pair)}` })
  return { token, pair }
}

const start = async (): Promise<Started> => {
  const [lab, opened] = await Promise.all([startLab(), openTestStore()])
  const chain = { lab, from: (lab.accounts[0] ?? '').toLowerCase() }
  await lab.installExchange('ETH')
  const { token: dollar } = await listed(chain, 'Plain')
  const { token: asset } = await listed(chain, 'Plain')
  const { token: stranger } = await listed(chain, 'Plain')
  const { token: worthless } = await listed(chain, 'Plain', 10n ** 15n)
  const { token: scattered } = await listed(chain, 'Scattered')
  const base = { decimals: 18, stable: false }
  const assets = [asset, scattered].map((address) => ({ ...base, address, symbol: 'ast' }))
  const bases = [registry.bases[0]!, { address: dollar, symbol: 'usd', decimals: 18, stable: true }]
  const records = createContractRecords({
    context: { clock: systemClock },
    store: opened.store,
    rpc: { ETH: lab },
    options: {
      ...SHARED_THREADS,
      registry: {
        ...registry,
        bases,
        assets: new Map([...bases, ...assets].map((one) => [one.address, one])),
        launchpads: new Map([[LAUNCHPAD, 'pad.test']]),
        publicFactories: [LAUNCHPAD],
      },
    },
  })
  return { ...chain, opened, records, dollar, asset, stranger, worthless, scattered }
}

/** The world, from `beforeAll` on, and what is done with it. */
export const createBesideWorld = () => {
  let started: Started | undefined
  const is = (): Started => started ?? expect.fail('the world has not begun')
  beforeAll(async () => {
    started = await start()
    await insert('covered_ranges', whole)
  })
  afterAll(async () => {
    await started?.lab.stop()
    await started?.opened.close()
  })

  const store = (): Store => is().opened.store
  const insert = (table: string, ...rows: object[]) =>
    store().insert(table, rows.map((row) => `${JSON.stringify({ network: 'ETH', ...row })}\n`).join(''))
  const bodyOf = async (token: string) =>
    rugBody.parse(JSON.parse((await is().records.compute('ETH', token))?.body ?? ''))
  const explained = async (token: string) => {
    const found = await createRugExplain(store())({ network: 'ETH', address: token }, AbortSignal.timeout(60_000))
    if (!found) throw new Error('no explanation')
    return found.fields
  }
  /** A pool of the token against another asset, 500,000 of each, announced by `by`. */
  const poolAgainst = async (token: string, other: string, by = factory) => {
    const { lab, from } = is()
    await lab.send({ from, to: factory, data: `0xc9c65396${pad(token)}${pad(other)}` })
    const answer = await lab.ask<string>(
      'eth_call',
      { to: factory, data: `0xe6a43905${pad(token)}${pad(other)}` },
      'latest',
    )
    const pool = `0x${answer.slice(26)}`
    // Of the other asset, its pool against the wrapped coin has half of a million.
    await lab.send({ from, to: token, data: `0xa9059cbb${pad(pool)}${word(200_000n * E18)}` })
    await lab.send({ from, to: other, data: `0xa9059cbb${pad(pool)}${word(100_000n * E18)}` })
    await lab.send({ from, to: pool, data: `0x6a627842${pad(from)}` })
    const [token0, token1] = token < other ? [token, other] : [other, token]
    await insert('pools', { ...head, position: '9', pool, factory: by, kind: 'v2', token0, token1, fee: 0, hooks: '' })
    return pool
  }
  return {
    is,
    store,
    insert,
    bodyOf,
    explained,
    poolAgainst,
    analysed: async (token: string) => ({ body: await bodyOf(token), told: await explained(token) }),
    deploy: (name: string) => deployed(is(), name),
    list: (name: string, native?: bigint) => listed(is(), name, native),
  }
}
export type BesideWorld = ReturnType<typeof createBesideWorld>
