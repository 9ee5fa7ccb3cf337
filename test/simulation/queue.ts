/** Checks that each address whose rows changed was queued for scoring after its last change. */
import type { Message } from '../../platform/bus/bus.ts'
import { type Block, emptyRows, TABLES, type TableName, touchedAddresses } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import { decodeRescore } from '../../schema/topics.ts'
import type { Row } from './store/table.ts'

export type QueueWatch = {
  changed: (table: string, rows: readonly Row[]) => void
  see: (message: Message) => void
  /** Addresses that changed after they were queued last. */
  forgotten: (network: Network) => string[]
}

const isChainTable = (name: string): name is TableName => (TABLES as readonly string[]).includes(name)

/** Addresses in the rows, by the product's own rule. */
const addressesIn = (table: TableName, rows: readonly Row[]): string[] => {
  const block = { rows: { ...emptyRows(), [table]: rows } } as unknown as Block
  return touchedAddresses([block])
}

/** `order` numbers the events. */
export const createQueueWatch = (order: () => number): QueueWatch => {
  const changes = new Map<string, number>()
  const queued = new Map<string, number>()
  return {
    changed: (table, rows) => {
      const base = table.replace(/_(hot|past)$/, '')
      if (!isChainTable(base)) return
      const networks = new Set(rows.map((row) => row.network))
      for (const network of networks) {
        const own = rows.filter((row) => row.network === network)
        for (const address of addressesIn(base, own)) changes.set(`${network}:${address}`, order())
      }
    },
    see: ({ topic, value }) => {
      const [, network] = /^rescore\.(.+)$/.exec(topic) ?? []
      if (network === undefined) return
      for (const address of decodeRescore(value)) queued.set(`${network}:${address}`, order())
    },
    forgotten: (network) =>
      [...changes]
        .filter(([key, at]) => key.startsWith(`${network}:`) && (queued.get(key) ?? -1) < at)
        .map(([key]) => key),
  }
}
