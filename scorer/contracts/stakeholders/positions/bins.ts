/**
 * Holders of a bin pool's liquidity. The position manager issues a token per bin, whose id is the hash of pool and bin
 * (`BinTokenLibrary` of infinity-periphery). Shares are of the base asset, as for ranges. Liquidity held in the pool
 * manager without these tokens counts as free, and no locker takes these tokens.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import { keccakHex } from '../../../../platform/keccak.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { type Market, managerOf } from '../../market/market.ts'
import { after, entry, GAS, loadSlots, stateSlot } from '../../market/pools/v4.ts'
import { BIN_POOLS } from '../../market/pools/venues.ts'
import { DEAD, isBlackhole } from '../../subject/blackhole.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import type { LockFacts } from '../locks.ts'

/** Maximum number of bins read, by base asset; liquidity in others counts as free. */
const MAX_BINS = 100
/** Offset of the share counts in a pool's state (`BinPool.State` of infinity-core). */
const SHARES = 2n

const tokens = parseAbi(['function balanceOfBatch(address[],uint256[]) view returns (uint256[])'])
const hex = (text: string) => text as `0x${string}`

/** Id of a bin's token. */
export const binToken = (pool: string, bin: number): bigint =>
  BigInt(keccakHex(Buffer.from(`${pool.slice(2).padStart(64, '0')}${bin.toString(16).padStart(64, '0')}`, 'hex')))

const rounded = (share: number): number => Math.round(Math.min(1, share) * 10_000) / 10_000

const decoded = (answer: string): readonly bigint[] | undefined => {
  try {
    return decodeFunctionResult({ abi: tokens, functionName: 'balanceOfBatch', data: hex(answer) })
  } catch {
    return undefined
  }
}

/** Reads burned and free shares. `accounts`: possible holders. A bin's reserves belong to its shares in equal parts. */
export const readBinLocks = async (
  chain: ChainReader,
  registry: ContractRegistry,
  market: Market,
  accounts: () => Promise<string[]>,
): Promise<LockFacts> => {
  const unknown: LockFacts = { share: undefined, undated: 0, free: 0n, holders: [], locked: [], evidence: [] }
  const [manager] = registry.bins
  const bins = (market.bins ?? [])
    .filter(({ base }) => base > 0n)
    .sort((a, b) => Number(b.base - a.base))
    .slice(0, MAX_BINS)
  const total = Number(market.baseReserve)
  if (!manager || bins.length === 0 || total === 0) return unknown
  const asked = [...new Set([DEAD, ...(await accounts())])]
  const state = stateSlot(market.id, BIN_POOLS)
  const ids = bins.map(({ id }) => binToken(market.id, id))
  const args = [asked.flatMap((who) => bins.map(() => hex(who))), asked.flatMap(() => ids)] as const
  const [supplies, answer] = await Promise.all([
    loadSlots(
      chain,
      managerOf(market),
      bins.map(({ id }) => entry(id, after(state, SHARES))),
    ),
    chain.call({
      to: manager,
      data: encodeFunctionData({ abi: tokens, functionName: 'balanceOfBatch', args }),
      gas: GAS,
    }),
  ])
  const balances = answer === undefined ? undefined : decoded(answer)
  if (!supplies || balances?.length !== asked.length * bins.length) return unknown
  const shareOf = (who: number): number =>
    bins.reduce((sum, { base }, i) => {
      const [supply, held] = [supplies[i] ?? 0n, balances[who * bins.length + i] ?? 0n]
      return supply === 0n ? sum : sum + (Number(base) * Math.min(1, Number(held) / Number(supply))) / total
    }, 0)
  const held = asked.map((address, who) => ({ address, share: rounded(shareOf(who)) })).filter(({ share }) => share > 0)
  const burned = held.filter(({ address }) => isBlackhole(address))
  return {
    share: rounded(burned.reduce((sum, { share }) => sum + share, 0)),
    undated: 0,
    free: 0n,
    holders: held.filter(({ address }) => !isBlackhole(address)).sort((a, b) => b.share - a.share),
    locked: burned.map((one) => ({ ...one, locks: [] })),
    evidence: burned.map(
      ({ address, share }) =>
        `shares of bins of ${manager}, ${Math.round(share * 1_000) / 10}% of the liquidity, belong to ${address}`,
    ),
  }
}
