/** Accounts of synthetic people and contracts, and jettons and collections that answer for theirs. */
import { createHash } from 'node:crypto'
import { beginCell, Cell, Dictionary } from '@ton/core'
import type { StackEntry, TonContracts } from './node.ts'

/** The account of a name in the base workchain. */
export const account = (name: string): string => `0:${createHash('sha256').update(`ton ${name}`).digest('hex')}`

type Answer = (method: string, argument: string | bigint | undefined) => StackEntry[] | undefined

export type JettonFacts = {
  /** Address of its master. */
  master: string
  name?: string
  symbol?: string
  decimals?: number
  /** Its name is on a web page. */
  page?: string
}

/** Contracts of a synthetic world, called by nodes. */
export type World = {
  contracts: TonContracts
  /** Creates a jetton. @returns addresses of its owners' wallets. */
  jetton: (facts: JettonFacts) => (owner: string) => string
  /** A contract that claims to be a wallet of a jetton whose master does not know it. */
  pretend: (address: string, claim: { owner: string; master: string }) => void
  collection: (address: string, items: number) => (index: number) => string
  /** An item that claims to belong to a collection. */
  pretendItem: (address: string, claim: { collection: string; index: number }) => void
}

const keyOf = (name: string) => BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
const snake = (text: string): Cell => beginCell().storeUint(0, 8).storeStringTail(text).endCell()

const contentOf = ({ name, symbol, decimals, page }: JettonFacts): Cell => {
  if (page !== undefined) return beginCell().storeUint(1, 8).storeStringTail(page).endCell()
  const entries = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
  if (name !== undefined) entries.set(keyOf('name'), snake(name))
  if (symbol !== undefined) entries.set(keyOf('symbol'), snake(symbol))
  if (decimals !== undefined) entries.set(keyOf('decimals'), snake(String(decimals)))
  return beginCell().storeUint(0, 8).storeDict(entries).endCell()
}

export const createWorld = (): World => {
  const contracts = new Map<string, Answer>()
  const wallet = (address: string, { owner, master }: { owner: string; master: string }) =>
    contracts.set(address, (method) =>
      method === 'get_wallet_data'
        ? [1_000n, { address: owner }, { address: master }, { cell: Cell.EMPTY }]
        : undefined,
    )
  const item = (address: string, { collection, index }: { collection: string; index: number }) =>
    contracts.set(address, (method) =>
      method === 'get_nft_data'
        ? [-1n, BigInt(index), { address: collection }, { address: account('keeper of items') }, { cell: Cell.EMPTY }]
        : undefined,
    )
  return {
    contracts,
    jetton: (facts) => {
      const { master } = facts
      const of = (owner: string) => account(`wallet ${master} ${owner}`)
      contracts.set(master, (method, argument) => {
        if (method === 'get_jetton_data') {
          return [10n ** 15n, -1n, { address: '' }, { cell: contentOf(facts) }, { cell: Cell.EMPTY }]
        }
        return method === 'get_wallet_address' ? [{ address: of(String(argument)) }] : undefined
      })
      return (owner) => {
        wallet(of(owner), { owner, master })
        return of(owner)
      }
    },
    pretend: wallet,
    collection: (address, items) => {
      const of = (index: number) => account(`item ${address} ${index}`)
      contracts.set(address, (method, argument) =>
        method === 'get_nft_address_by_index' ? [{ address: of(Number(argument)) }] : undefined,
      )
      for (let index = 0; index < items; index += 1) item(of(index), { collection: address, index })
      return of
    },
    pretendItem: item,
  }
}
