/** What tests of flags share: a scoring function over a store of their own, readers of what it says, and plain actions. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '../../../platform/context/clock.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import type { Network } from '../../../schema/networks.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { DEX_FACTORIES } from '../../../schema/registry/contracts.ts'
import { createRescore, type Rescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import type { Verdict } from '../../../scorer/scoring/verdict.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../kit/world/transactions.ts'

/** The moment every test is judged at. */
export const NOW = Date.UTC(2026, 0, 1)
export const ETH = 10n ** 18n
export const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const UNLIMITED = 2n ** 256n - 1n

/** The address of a name; an address stays what it is, and so does the receiver of a creation. */
export const at = (name: string): string => (name === '' || name.startsWith('0x') ? name : named(name))

/** Opens a store for the file, empties it before each test, closes it at the end. */
export const flagsKit = () => {
  let kit: TestStore
  let scoring: Rescore
  const open = (options: Parameters<typeof createRescore>[0]['options'] = {}) =>
    createRescore({
      context: { metrics: createMetrics(), clock: systemClock },
      store: kit.store,
      model: createWalletModel(),
      options,
    })
  beforeAll(async () => {
    kit = await openTestStore()
    scoring = open()
  })
  beforeEach(() => kit.truncate())
  afterAll(() => kit.close())

  /** Verdicts in the order of the names. */
  const verdicts = async (...names: string[]): Promise<Verdict[]> => scoring.rescore('ETH', names.map(at), NOW)
  return {
    store: () => kit.store,
    /** Empties the store within a test. */
    emptied: () => kit.truncate(),
    /** A second judge of the same store, with options of its own. */
    judge: open,
    /** Puts a world into the final tier. */
    happened: (...txs: (Tx | Tx[])[]) => insertRows(kit.store, rowsOf(txs.flat())),
    verdicts,
    /** Verdicts by name. */
    score: async (names: readonly string[], network: Network = 'ETH'): Promise<Map<string, Verdict>> => {
      const scored = await scoring.rescore(network, names.map(at), NOW)
      return new Map(names.map((name, index) => [name, scored[index]!]))
    },
    /** Expects that nobody named carries a flag. */
    clean: async (...names: string[]) => {
      for (const [index, scored] of (await verdicts(...names)).entries()) {
        expect(flagsOf(scored), names[index]).toEqual({})
      }
    },
  }
}

/** Flags that are set, with their sources. */
export const flagsOf = (scored: Verdict | undefined) => {
  const { forensic_details } = fraudBody.parse(JSON.parse(scored!.body))
  return Object.fromEntries(Object.entries(forensic_details).filter(([, value]) => value !== '0' && value !== ''))
}

/** What a flag rests on, as the record's reasons tell it. */
export const evidenceOf = (scored: Verdict | undefined, code: string) =>
  scored!.reasons.find((reason) => reason.code === code)?.evidence

/** A finding of a list, as an operator or a partner would import it. */
export const listed = (name: string, label: string, over: object = {}) => ({
  network: 'ETH' as const,
  address: at(name),
  label,
  detector: 'list',
  class: 'asserted' as const,
  confidence: 1,
  detector_version: '1',
  evidence: {},
  tx_hash: '',
  block_number: 0,
  foundAt: NOW,
  ...over,
})

/** Names that count on from a prefix. */
export const crowd = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`)

export const pay = (from: string, to: string, block: number, value = ETH): Tx => ({
  from: at(from),
  to: at(to),
  block,
  value,
})

/** A call, with what happens inside. */
export const act = (from: string, to: string, block: number, ...actions: Action[]): Tx => ({
  from: at(from),
  to: at(to),
  block,
  call: true,
  actions,
})

/** Tokens that move inside a call. */
export const move = (from: string, to: string, amount: bigint, asset = USDC): Action => ({
  do: 'token',
  from: at(from),
  to: at(to),
  asset: at(asset),
  amount,
})

/** Native coins that move inside a call. */
export const coin = (from: string, to: string, amount: bigint): Action => ({
  do: 'internal',
  from: at(from),
  to: at(to),
  amount,
})

/** A transaction whose calldata is text. */
export const write = (from: string, to: string, block: number, message: string): Tx => ({
  ...pay(from, to, block, 0n),
  message,
})

export const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
/** A factory of the registry. */
export const FACTORY = [...DEX_FACTORIES.ETH.keys()][0] ?? ''
/** A token with a pool of 100 ETH, named after it with `-p` at the end. */
export const launch = (maker: string, token: string, block: number): Tx[] => [
  act(maker, '', block, { do: 'create', contract: named(token) }),
  act(
    maker,
    FACTORY,
    block + 1,
    { do: 'pool', pool: named(`${token}-p`), token0: named(token), token1: WETH, factory: FACTORY },
    { do: 'liquidity', pool: named(`${token}-p`), event: 'add', amount0: 10n ** 6n, amount1: 100n * ETH },
  ),
]

/** Many more pools of a token, opened by a stranger. */
export const announced = (token: string, count: number, block: number): Tx =>
  act(
    'noise',
    'router',
    block,
    ...crowd('p', count).map(
      (name): Action => ({ do: 'pool', pool: named(name), token0: named(token), token1: WETH, factory: FACTORY }),
    ),
  )

/** Coins that the signer wraps. */
export const wrap = (owner: string, block: number, amount = ETH, asset = WETH): Tx => ({
  ...pay(owner, asset, block, amount),
  call: true,
  actions: [{ do: 'wrap', holder: at(owner), asset, amount, way: 'in' }],
})

/** Coins that are unwrapped inside a call. */
export const unwraps = (holder: string, amount = ETH, asset = WETH): Action[] => [
  { do: 'wrap', holder: at(holder), asset, amount, way: 'out' },
  coin(asset, holder, amount),
]

/** Lets a spender have tokens of the caller. */
export const approve = (owner: string, spender: string, block: number, asset = USDC): Tx =>
  act(owner, asset, block, {
    do: 'approve',
    owner: at(owner),
    spender: at(spender),
    asset: at(asset),
    amount: UNLIMITED,
  })

/** A call of the dollar token. */
export const token = (by: string, block: number, ...actions: Action[]): Tx => act(by, USDC, block, ...actions)

/** A stranger's token states that somebody gave some of it to many, or got it from them: one transaction, and no coin moves. */
export const lies = (who: string, count: number, block: number, way: 'gave' | 'got' = 'gave'): Tx =>
  act(
    'liar',
    'lie',
    block,
    ...crowd('nobody', count).map((one) => (way === 'gave' ? move(who, one, 1n, 'lie') : move(one, who, 1n, 'lie'))),
  )

export const MILLION = 10n ** 12n
/** Gets coins and spends some where nobody else does: no deposit address. */
export const acts = (name: string, block: number): Tx[] => [
  pay(`pal-${name}`, name, block, ETH),
  pay(name, `shop-${name}`, block + 1, ETH / 10n),
]

/** Gets a million dollars and signs something: what people do. */
export const life = (name: string, block: number): Tx[] => [
  token(`bank-${name}`, block, move(`bank-${name}`, name, MILLION)),
  pay(`pal-${name}`, name, block, ETH),
  pay(name, `pal-${name}`, block + 1, ETH / 10n),
  pay(name, `shop-${name}`, block + 2, ETH / 10n),
]

/** Blocks in which an account becomes older than a week. */
export const WEEK = 1_100
/** Lives that did not begin together, a week ago once WEEK blocks have passed. */
export const lives = (names: readonly string[], block: number): Tx[] =>
  names.flatMap((name, n) => life(name, block + 10 * n))
