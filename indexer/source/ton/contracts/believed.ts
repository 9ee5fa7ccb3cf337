/**
 * Which contracts are what they claim. A jetton wallet is a contract that anybody can deploy, with any master's address in its data:
 * it is believed when the master itself names it for its owner. So is an item of a collection. What was confirmed once is
 * remembered: neither changes.
 */
import type { LRUCache } from 'lru-cache'
import { createMemory } from '../../../../platform/memory.ts'
import { RpcAbsent } from '../../../../platform/rpc/errors.ts'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { GetMethod, Got, TonApi } from '../api.ts'
import { burnOf, internalTransferOf, nftTransferOf, takenOf } from '../bodies.ts'
import type { Contracts, Jetton, JettonWallet, NftItem, PlacedTransaction } from '../raw.ts'
import { readContent } from './jetton-content.ts'
import { addressAt, cellAt, numberAt } from './stack.ts'

const REMEMBERED = 200_000

/** A kind of contract that claims something which another contract confirms. */
type Kind<T extends object> = {
  /** What was found before; `null` where nothing is believed. */
  known: LRUCache<string, { found: T | null }>
  method: string
  claim: (got: Got, address: string) => T | undefined
  /** The question to the contract that has to confirm it, `undefined` where there is none. */
  confirmation: (claimed: T) => GetMethod | undefined
}

const createKind = <T extends object>(kind: Omit<Kind<T>, 'known'>): Kind<T> => ({
  ...kind,
  known: createMemory(REMEMBERED),
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

/** Contracts of a block that are told something only a genuine one acts on. */
const toldIn = (transactions: readonly PlacedTransaction[]) => {
  const wallets = new Set<string>()
  const items = new Set<string>()
  for (const one of transactions) {
    const message = takenOf(one)
    if (!message) continue
    if (internalTransferOf(message.body)) wallets.add(one.address)
    if (burnOf(message.body)) wallets.add(message.source)
    if (nftTransferOf(message.body)) items.add(one.address)
  }
  return { wallets: [...wallets], items: [...items] }
}

/** Asks contracts that are not known yet for their claims, then those that have to confirm them. */
const settle = async <T extends object>(
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
    // What stands for itself needs nobody's word.
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

const believedOf = <T extends object>(
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

/** What is known of contracts, kept over blocks: what a contract says of itself counts once its master confirms it. */
export type Believed = {
  /** What contracts of the block are, the unknown ones asked. @throws RpcAbsent when the node is behind the block. */
  forBlock: (node: Node, number: number, transactions: readonly PlacedTransaction[]) => Promise<Contracts>
}

/**
 * @param named whether jettons are asked for their names.
 * @param apiOf version of the API that a node speaks.
 */
export const createBelieved = ({ named, apiOf }: { named: boolean; apiOf: (node: Node) => TonApi }): Believed => {
  const wallets = walletKind()
  const items = itemKind()
  const jettons = createMemory<string, Jetton>(REMEMBERED)

  /** A node that is behind knows nothing of new contracts: what it denies is only believed where the block is there. */
  const verifyStands = async (node: Node, number: number): Promise<void> => {
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
      const told = toldIn(transactions)
      const [newWallets, newItems] = [
        await settle(apiOf(node), node, wallets, told.wallets),
        await settle(apiOf(node), node, items, told.items),
      ]
      const [noWallets, noItems] = [deniedIn(newWallets), deniedIn(newItems)]
      if (noWallets.length > 0 || noItems.length > 0) {
        // It may have been behind when it denied, and have caught up since.
        await verifyStands(node, number)
        for (const [address, found] of await settle(apiOf(node), node, wallets, noWallets))
          newWallets.set(address, found)
        for (const [address, found] of await settle(apiOf(node), node, items, noItems)) newItems.set(address, found)
      }
      remember(wallets, newWallets)
      remember(items, newItems)
      const found = believedOf(wallets, newWallets, told.wallets)
      const masters = [...new Set([...found.values()].map(({ master }) => master))]
      return {
        wallets: found,
        items: believedOf(items, newItems, told.items),
        jettons: named ? await namesOf(node, masters) : new Map(),
      }
    },
  }
}
