/**
 * Tokens that turn their callers' gas into assets of somebody else (semantics row 4; HashDit and GoPlus on gas-minting airdrops): an
 * approval or transfer that mints CHI, GST or XEN to the token, its creator or another contract of the creator.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { GAS_TOKENS } from '../../../../schema/registry/contracts.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import type { OwnContract } from '../../shared/contracts/own-contracts.ts'

const HOLDERS = readSql(import.meta.url, './holders.sql')
const MINTED = readSql(import.meta.url, './minted.sql')

/** Minimum number of distinct callers whose gas was used. */
const MIN_CALLERS = 3
/**
 * Minimum share of all callers of the token. A token with hooks calls contracts of its receivers, and a framer's contract may mint to the
 * token's maker. In a token that is used such callers are few. Our choice.
 */
const CALLERS_SHARE = 0.25
/** Gas of these calls in an ordinary token: OpenZeppelin ERC-20 with cold slots, rounded up. */
const ORDINARY_GAS: Record<string, number> = {
  '0x095ea7b3': 50_000, // approve
  '0x39509351': 50_000, // increaseAllowance
  '0xa9059cbb': 65_000, // transfer
  '0x23b872dd': 70_000, // transferFrom
  '0xa22cb465': 50_000, // setApprovalForAll
}
/** Minimum ratio of used to ordinary gas (semantics row 4). */
const GAS_FACTOR = 3

type Minted = {
  beneficiary: string
  asset: string
  amount: string
  caller: string
  token: string
  selector: string
  gas_used: number
  tx_hash: string
}

/** A token whose calls minted gas tokens to its maker's side, with at most ten callers and transactions as evidence. */
export type GasAbuse = {
  /** The token that was called. */
  contract: string
  beneficiary: string
  asset: string
  callers: string[]
  /** Whether they are at least `CALLERS_SHARE` of all callers. */
  widespread: boolean
  transactions: string[]
}

/** Loads gas abuse by maker. Checks first whether a wallet holds gas tokens, which is rare, before it reads calls. */
export const loadGasAbuse = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, GasAbuse[]>> => {
  const assets = [...GAS_TOKENS[network].keys()]
  const called = own.filter(({ callers }) => callers >= MIN_CALLERS)
  if (called.length === 0 || assets.length === 0) return new Map()
  const holders = await inPieces(
    own.flatMap(({ address, contract }) => [address, contract]),
    (addresses) => store.query<{ address: string }>(HOLDERS, { network, addresses, assets }, { route: 'gas_holders' }),
  )
  if (holders.length === 0) return new Map()
  const beneficiaries = new Set(holders.map(({ address }) => address))
  const concerned = new Set(
    own
      .filter(({ address, contract }) => beneficiaries.has(address) || beneficiaries.has(contract))
      .map(({ address }) => address),
  )
  const rows = await inPieces(
    called.filter(({ address }) => concerned.has(address)).map(({ contract }) => contract),
    (tokens) =>
      store.query<Minted>(
        MINTED,
        { network, beneficiaries: [...beneficiaries], assets, tokens },
        { route: 'gas_minted' },
      ),
  )
  const heavy = rows.filter(
    (row) => row.gas_used >= GAS_FACTOR * (ORDINARY_GAS[row.selector] ?? Number.POSITIVE_INFINITY),
  )
  const found = new Map<string, GasAbuse[]>()
  for (const address of new Set(own.map((contract) => contract.address))) {
    const mine = new Map(own.flatMap((one) => (one.address === address ? [[one.contract, one.callers] as const] : [])))
    for (const [contract, allCallers] of mine) {
      const calls = heavy.filter(
        (row) => row.token === contract && (row.beneficiary === address || mine.has(row.beneficiary)),
      )
      const callers = [...new Set(calls.map((row) => row.caller))]
      const first = calls[0]
      if (!first || callers.length < MIN_CALLERS) continue
      const { beneficiary, asset } = first
      const widespread = callers.length >= CALLERS_SHARE * allCallers
      const transactions = calls.slice(0, 10).map((row) => row.tx_hash)
      const abuse = { contract, beneficiary, asset, callers: callers.slice(0, 10), widespread, transactions }
      found.set(address, [...(found.get(address) ?? []), abuse])
    }
  }
  return found
}
