import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, keccak256, numberToHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { ChainReader } from '../../chain/chain.ts'
import type { Market } from '../../market/market.ts'
import { contractRegistry } from '../../subject/registry.ts'
import { readBinLocks } from './bins.ts'

const POOL = `0x${'1d'.repeat(32)}` as const
const MANAGER = '0xc697d2898e0d09264376196696c51d7abbbaa4a9'
const POSITIONS = '0x3d311d6283dd8ab90bb0031835c8e606349e2850'
const DEAD = '0x000000000000000000000000000000000000dead'
const [MAKER, OTHER] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const
const registry = contractRegistry('BNB')!
const batch = parseAbi(['function balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])'])
const loads = parseAbi(['function extsload(bytes32[] slots) view returns (bytes32[])'])
const pair = (first: `0x${string}`, second: `0x${string}`) =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [first, second]))
const wordOf = (value: number | bigint) => numberToHex(value, { size: 32 })

type Bin = { id: number; base: bigint; supply: bigint; held: Record<string, bigint> }

/** A chain on which bins have these shares and holders; storage and token ids are laid out as by solc. */
const chainOf = (bins: readonly Bin[], other: Partial<ChainReader> = {}): ChainReader => {
  const state = pair(POOL, wordOf(5n))
  const supplies = new Map(bins.map(({ id, supply }) => [pair(wordOf(id), wordOf(BigInt(state) + 2n)), supply]))
  const held = new Map(bins.map(({ id, held }) => [BigInt(pair(POOL, wordOf(id))), held]))
  const call = async ({ to, data }: { to: string; data: string }) => {
    if (to === MANAGER) {
      const { args } = decodeFunctionData({ abi: loads, data: data as `0x${string}` })
      const result = args[0].map((slot) => wordOf(supplies.get(slot) ?? 0n))
      return encodeFunctionResult({ abi: loads, functionName: 'extsload', result })
    }
    if (to !== POSITIONS) return undefined
    const { args } = decodeFunctionData({ abi: batch, data: data as `0x${string}` })
    const result = args[0].map((who, i) => held.get(args[1][i] ?? 0n)?.[who.toLowerCase()] ?? 0n)
    return encodeFunctionResult({ abi: batch, functionName: 'balanceOfBatch', result })
  }
  return { call, ...other } as unknown as ChainReader
}
const marketOf = (bins: readonly Bin[], baseReserve = bins.reduce((sum, { base }) => sum + base, 0n)) =>
  ({
    kind: 'infinity-bin',
    id: POOL,
    pool: `0x${'99'.repeat(20)}`,
    terms: BigInt(MANAGER) << 96n,
    bins,
    baseReserve,
  }) as unknown as Market

const BINS: Bin[] = [
  { id: 8_388_608, base: 60n, supply: 1_000n, held: { [DEAD]: 500n, [MAKER]: 250n } },
  { id: 8_388_607, base: 40n, supply: 10n ** 30n, held: { [MAKER]: 10n ** 30n } },
]
const locks = (chain: ChainReader, market: Market, accounts = [MAKER, OTHER] as string[]) =>
  readBinLocks(chain, registry, market, async () => accounts)

test('bin shares that nobody can move are locked, weighted by the base asset in their bins', async () => {
  expect(await locks(chainOf(BINS), marketOf(BINS))).toEqual({
    share: 0.3,
    undated: 0,
    free: 0n,
    holders: [{ address: MAKER, share: 0.55 }],
    locked: [{ address: DEAD, share: 0.3, locks: [] }],
    evidence: [`shares of bins of ${POSITIONS}, 30% of the liquidity, belong to ${DEAD}`],
  })
})

test('reserves beyond the read bins are free, and a burned bin with tokens only protects nobody', async () => {
  expect(await locks(chainOf(BINS), marketOf(BINS, 1_000n))).toMatchObject({ share: 0.03 })
  const [first] = BINS
  const burned = [{ ...first!, base: 0n, held: { [DEAD]: 1_000n } }, BINS[1]!]
  expect(await locks(chainOf(burned), marketOf(burned))).toMatchObject({ share: 0 })
})

test('shares of other accounts or pools, or more than exist, lock no more than the reserves', async () => {
  const lying = [{ id: 5, base: 100n, supply: 1n, held: { [DEAD]: 2n ** 255n } }]
  expect(await locks(chainOf(lying), marketOf(lying))).toMatchObject({ share: 1 })
  const elsewhere = { ...marketOf(BINS), id: `0x${'2e'.repeat(32)}` } as Market
  expect(await locks(chainOf(BINS), elsewhere)).toMatchObject({ share: 0, holders: [] })
  expect(await locks(chainOf(BINS), marketOf(BINS), [])).toMatchObject({ share: 0.3, holders: [] })
})

test('without an answer of the node, or without bins, the share is unknown', async () => {
  const silent = { call: async () => undefined }
  for (const [chain, market] of [
    [chainOf(BINS, silent), marketOf(BINS)],
    [chainOf(BINS, { call: async () => '0x' }), marketOf(BINS)],
    [chainOf(BINS), { ...marketOf(BINS), bins: [] }],
    [chainOf(BINS), marketOf(BINS, 0n)],
  ] as [ChainReader, Market][])
    expect(await locks(chain, market)).toMatchObject({ share: undefined, holders: [] })
})
