/**
 * Checks what contracts claim to be. Anybody can deploy a jetton wallet with any master's address in its data, so a wallet only
 * counts if the master names it as the wallet of its owner. The same holds for items of a collection. Confirmations are
 * cached, because neither changes.
 */
import type { LRUCache } from 'lru-cache'
import { createMemory } from '../../../../platform/memory.ts'
import { RpcAbsent } from '../../../../platform/rpc/errors.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { GetMethod, Got, TonApi } from '../api.ts'
import { acceptedMessageOf, burnOf, internalTransferOf, nftTransferOf } from '../bodies.ts'
import type { Contracts, Jetton, JettonWallet, NftItem, PlacedTransaction } from '../raw.ts'
import { readContent } from './jetton-content.ts'
import { addressAt, cellAt, numberAt } from './stack.ts'

const MAX_CACHED = 200_000

/** A kind of contract whose claim another contract has to confirm. */
type Kind<T extends object> = {
  /** Earlier results; `null` if not confirmed. */
  known: LRUCache<string, { found: T | null }>
  method: string
  claim: (got: Got, address: string) => T | undefined
  /** The call to the confirming contract, `undefined` if there is none. */
  confirmation: (claimed: T) => GetMethod | undefined
}

const createKind = <T extends object>(kind: Omit<Kind<T>, 'known'>): Kind<T> => ({
  ...kind,
  known: createMemory(MAX_CACHED),
})

const walletKind = () =>
  createKind<JettonWallet>({
    method: 'get_wallet_data',
    claim: (got) => {
      const [owner, master] = [addressAt(got, 1), addressAt(got, 2)]
      return owner && master ? { owner, master } : undefined
    },
    confirmation: ({ owner, master }) => ({
      address: master,
      method: 'get_wallet_address',
      argument: { address: owner },
    }),
  })

const itemKind = () =>
  createKind<NftItem>({
    method: 'get_nft_data',
    claim: (got, item) => {
      const [ready, index, collection] = [numberAt(got, 0), numberAt(got, 1), addressAt(got, 2)]
      if (!ready || index === undefined || index < 0n || collection === undefined) return undefined
      return collection === '' ? { collection: item, index: '0' } : { collection, index: index.toString() }
    },
    confirmation: ({ collection, index }) => ({
      address: collection,
      method: 'get_nft_address_by_index',
      argument: { number: index },
    }),
  })

/** Contracts of a block that got messages which only matter to genuine ones. */
const contractsIn = (transactions: readonly PlacedTransaction[]) => {
  const wallets = new Set<string>()
  const items = new Set<string>()
  for (const one of transactions) {
    const message = acceptedMessageOf(one)
    if (!message) continue
    if (internalTransferOf(message.body)) wallets.add(one.address)
    if (burnOf(message.body)) wallets.add(message.source)
    if (nftTransferOf(message.body)) items.add(one.address)
  }
  return { wallets: [...wallets], items: [...items] }
}

/** Asks unknown contracts for their claims, then the contracts that have to confirm them. */
const confirmAll = async <T extends object>(
  api: TonApi,
  node: Node,
  { known, method, claim, confirmation }: Kind<T>,
  addresses: readonly string[],
): Promise<Map<string, T | null>> => {
  const fresh = addresses.filter((address) => !known.has(address))
  const claims = await api.contracts(
    node,
    fresh.map((address) => ({ address, method })),
  )
  const settled = new Map<string, T | null>(fresh.map((address) => [address, null]))
  const asked = fresh.flatMap((address, index) => {
    const got = claims[index]
    const claimed = got && claim(got, address)
    const question = claimed && confirmation(claimed)
    // A contract that stands for itself needs no confirmation.
    const own = question?.address === address
    if (claimed && own) settled.set(address, claimed)
    return claimed && question && !own ? [{ address, claimed, question }] : []
  })
  const answers = await api.contracts(
    node,
    asked.map(({ question }) => question),
  )
  asked.forEach(({ address, claimed }, index) => {
    const got = answers[index]
    if (got && addressAt(got, 0) === address) settled.set(address, claimed)
  })
  return settled
}

const deniedIn = (settled: ReadonlyMap<string, unknown>): string[] =>
  [...settled].flatMap(([address, found]) => (found === null ? [address] : []))

const remember = <T extends object>({ known }: Kind<T>, settled: ReadonlyMap<string, T | null>): void => {
  for (const [address, found] of settled) known.set(address, { found })
}

const confirmedOf = <T extends object>(
  { known }: Kind<T>,
  settled: ReadonlyMap<string, T | null>,
  addresses: readonly string[],
): Map<string, T> =>
  new Map(
    addresses.flatMap((address) => {
      const found = settled.get(address) ?? known.get(address)?.found
      return found ? [[address, found] as const] : []
    }),
  )

/** Checks contracts, with a cache over blocks: a contract's claim only counts once its master confirms it. */
export type ContractChecks = {
  /** The confirmed contracts of the block. Asks for unknown ones. @throws RpcAbsent when the node lags behind the block. */
  forBlock: (node: Node, number: number, transactions: readonly PlacedTransaction[]) => Promise<Contracts>
}

/**
 * Creates a check with an empty cache.
 * @param named whether to ask jettons for their names.
 * @param apiOf API version of a node.
 */
export const createContractChecks = ({
  named,
  apiOf,
}: {
  named: boolean
  apiOf: (node: Node) => TonApi
}): ContractChecks => {
  const wallets = walletKind()
  const items = itemKind()
  const jettons = createMemory<string, Jetton>(MAX_CACHED)

  /** Checks that the node has the block: a lagging node knows no new contracts, so its denials would mean nothing. */
  const verifyHasBlock = async (node: Node, number: number): Promise<void> => {
    const { seqno } = await apiOf(node).newest(node)
    if (seqno < number) throw new RpcAbsent(`contracts as of block ${number}`)
  }

  const namesOf = async (node: Node, masters: readonly string[]): Promise<Map<string, Jetton>> => {
    const fresh = masters.filter((master) => !jettons.has(master))
    const answers = await apiOf(node).contracts(
      node,
      fresh.map((address) => ({ address, method: 'get_jetton_data' })),
    )
    fresh.forEach((master, index) => {
      const got = answers[index]
      if (got) jettons.set(master, readContent(cellAt(got, 3)))
    })
    return new Map(
      masters.flatMap((master) => {
        const found = jettons.get(master)
        return found ? [[master, found] as const] : []
      }),
    )
  }

  return {
    forBlock: async (node, number, transactions) => {
      const claimed = contractsIn(transactions)
      const [newWallets, newItems] = [
        await confirmAll(apiOf(node), node, wallets, claimed.wallets),
        await confirmAll(apiOf(node), node, items, claimed.items),
      ]
      const [noWallets, noItems] = [deniedIn(newWallets), deniedIn(newItems)]
      if (noWallets.length > 0 || noItems.length > 0) {
        // The node may have lagged when it denied, and caught up since.
        await verifyHasBlock(node, number)
        for (const [address, found] of await confirmAll(apiOf(node), node, wallets, noWallets))
          newWallets.set(address, found)
        for (const [address, found] of await confirmAll(apiOf(node), node, items, noItems)) newItems.set(address, found)
      }
      remember(wallets, newWallets)
      remember(items, newItems)
      const found = confirmedOf(wallets, newWallets, claimed.wallets)
      const masters = [...new Set([...found.values()].map(({ master }) => master))]
      return {
        wallets: found,
        items: confirmedOf(items, newItems, claimed.items),
        jettons: named ? await namesOf(node, masters) : new Map(),
      }
    },
  }
}
