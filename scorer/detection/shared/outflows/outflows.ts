/**
 * Third-party outflows: assets that left owners in transactions that others signed. Each step is a separate statement on a list of
 * addresses, because a statement computes a CTE again for every reference.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import { inPieces, type LoadContext } from '../../context.ts'

const OUTFLOWS = readSql(import.meta.url, './token-outflows.sql')
const NFT_OUTFLOWS = readSql(import.meta.url, './nft-outflows.sql')
const CALLS = readSql(import.meta.url, './calls.sql')
const TRACED = readSql(import.meta.url, './traced-blocks.sql')
const UNWRAPS = readSql(import.meta.url, './unwraps.sql')
const RETURNS = readSql(import.meta.url, './returns.sql')

/** An asset that left an owner in a transaction that another account signed. How it was authorized is not known. */
export type Outflow = {
  owner: string
  asset: string
  /** Base units. */
  amount: string
  taker: string
  /** Signer of the transaction. */
  initiator: string
  tx_hash: string
  position: string
  /** Unix seconds. */
  time: number
  block_number: number
}
/** `value` in base units of the native coin. */
export type Call = { tx_hash: string; receiver: string; value: string; selector: string }

/**
 * Share of the taken amount whose arrival must have been seen. Interest may accrue without events. A balance that did not come
 * by events at all (minted without them, or before indexing began) is not known, so a total loss cannot be shown. Our choice.
 */
export const KNOWN_SHARE = 0.5

type Asked = {
  owners: readonly string[]
  assets: readonly string[]
  /** Unix seconds, both inclusive. */
  since: number
  until: number
}

const asked = ({ assets, since, until }: Asked) => ({ assets: [...new Set(assets)], since, until })

const inChainOrder = <T extends Outflow>(outflows: readonly T[]): T[] =>
  outflows.toSorted((a, b) => Number(BigInt(a.position) - BigInt(b.position)) || (a.owner < b.owner ? -1 : 1))

/** Loads tokens taken that are at least `share` of the owner's balance of the asset; in chain order. */
export const loadOutflows = async (
  { store, network }: LoadContext,
  { share, ...which }: Asked & { share: number },
): Promise<Outflow[]> =>
  inChainOrder(
    await inPieces(which.owners, (owners) =>
      store.query<Outflow>(
        OUTFLOWS,
        { network, owners, share, known: KNOWN_SHARE, ...asked(which) },
        { route: 'outflows' },
      ),
    ),
  )

/** Loads NFTs taken, in chain order. */
export const loadNftOutflows = async ({ store, network }: LoadContext, which: Asked): Promise<Outflow[]> =>
  inChainOrder(
    await inPieces(which.owners, (owners) =>
      store.query<Outflow>(NFT_OUTFLOWS, { network, owners, ...asked(which) }, { route: 'nft_outflows' }),
    ),
  )

/** Loads the transactions of outflows by hash. */
export const loadCalls = async (
  { store, network }: LoadContext,
  outflows: readonly Pick<Outflow, 'initiator' | 'tx_hash' | 'time'>[],
): Promise<Map<string, Call>> => {
  const calls = await inPieces(outflows, (piece) =>
    store.query<Call>(
      CALLS,
      {
        network,
        senders: [...new Set(piece.map(({ initiator }) => initiator))],
        times: [...new Set(piece.map(({ time }) => time))],
        transactions: [...new Set(piece.map(({ tx_hash }) => tx_hash))],
      },
      { route: 'calls' },
    ),
  )
  return new Map(calls.map((call) => [call.tx_hash, call]))
}

/** The blocks with visible internal payments. */
export const tracedAmong = async (
  { store, network }: LoadContext,
  blocks: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await inPieces(blocks, (piece) =>
    store.query<{ block: number }>(TRACED, { network, blocks: piece }, { route: 'traced_blocks' }),
  )
  return new Set(rows.map(({ block }) => block))
}

/**
 * Transactions that unwrapped coins in blocks without visible internal payments. The receiver of the coins is not known and may
 * have been the owner.
 */
export const loadUnseenPayouts = async (
  context: LoadContext,
  outflows: readonly Outflow[],
): Promise<ReadonlySet<string>> => {
  const { store, network } = context
  const wrapped = wrappedNative(network)?.address
  if (wrapped === undefined) return new Set()
  const traced = await tracedAmong(context, [...new Set(outflows.map(({ block_number }) => block_number))])
  const untraced = outflows.filter(({ block_number }) => !traced.has(block_number))
  const rows = await inPieces(untraced, (piece) =>
    store.query<{ tx_hash: string }>(
      UNWRAPS,
      {
        network,
        wrapped,
        times: [...new Set(piece.map(({ time }) => time))],
        transactions: [...new Set(piece.map(({ tx_hash }) => tx_hash))],
      },
      { route: 'unwraps' },
    ),
  )
  return new Set(rows.map(({ tx_hash }) => tx_hash))
}

/** Whether an owner received anything: within a transaction, from a party, or by a signer. */
export type Returns = {
  within: (owner: string, tx_hash: string) => boolean
  from: (owner: string, party: string) => boolean
  by: (owner: string, signer: string) => boolean
  /** From a party at this time (Unix seconds) or later. */
  since: (owner: string, party: string, time: number) => boolean
}

/** Loads returns. `parties` and `signers`: payments from them to the owners count in any transaction. */
export const loadReturns = async (
  { store, network }: LoadContext,
  outflows: readonly Pick<Outflow, 'owner' | 'tx_hash'>[],
  { parties = [], signers = [] }: { parties?: readonly string[]; signers?: readonly string[] } = {},
): Promise<Returns> => {
  const rows = await inPieces(outflows, (piece) =>
    store.query<{ owner: string; giver: string; signer: string; transaction: string; last: number }>(
      RETURNS,
      {
        network,
        owners: [...new Set(piece.map(({ owner }) => owner))],
        transactions: [...new Set(piece.map(({ tx_hash }) => tx_hash))],
        parties: [...new Set(parties)],
        signers: [...new Set(signers)],
      },
      { route: 'returns' },
    ),
  )
  const pairs = (of: 'giver' | 'signer' | 'transaction') => {
    const known = new Set(rows.map((row) => `${row.owner} ${row[of]}`))
    return (owner: string, other: string) => other !== '' && known.has(`${owner} ${other}`)
  }
  const last = new Map<string, number>()
  for (const row of rows) {
    const pair = `${row.owner} ${row.giver}`
    last.set(pair, Math.max(row.last, last.get(pair) ?? 0))
  }
  const since: Returns['since'] = (owner, party, time) => party !== '' && (last.get(`${owner} ${party}`) ?? -1) >= time
  return { since, within: pairs('transaction'), from: pairs('giver'), by: pairs('signer') }
}
