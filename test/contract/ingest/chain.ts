/** A chain made of random rows in every table, its messages, and what a fresh index of it would hold. */
import { createHash } from 'node:crypto'
import type { Random } from '../../../deploy/demo/scenario/random.ts'
import type { OutgoingMessage } from '../../../platform/bus/bus.ts'
import { type Block, emptyRows, LOG_EVENT_BASE, positionOf, TABLES, type TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { type BlockMessage, encodeBlocks, stamp } from '../../../schema/topics.ts'

const hex = (text: string, bytes: number) =>
  `0x${createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2)}`

export type BlockOptions = {
  transactions?: number
  accounts?: number
  /** Tables that have rows. @default all of them */
  tables?: readonly TableName[]
}

/**
 * What tests of order, gaps and positions need of a block: rows in two tables that state facts. A chunk with rows in all tables takes
 * twice as long, and which table a row is of decides nothing there; `crash`, `crash-steps` and `from-bus` have rows in all of them.
 */
export const FEW_TABLES = ['blocks', 'transactions', 'ledger'] as const satisfies readonly TableName[]

/** One block on `parentHash` with rows in every table for each of its few transactions; `salt` tells branches apart. */
export const makeBlock = (
  network: Network,
  number: number,
  parentHash: string,
  salt: string,
  random: Random,
  { transactions = random.below(4), accounts = 12, tables = TABLES }: BlockOptions = {},
): Block => {
  const time = 1_700_000_000 + number * 12
  const hash = hex(`${network}${number}${parentHash}${salt}`, 32)
  const rows = emptyRows()
  const head = { network, block_number: number, block_time: time }
  const someone = () => hex(`account ${random.below(accounts)}`, 20)
  const amount = () => (BigInt(random.below(1_000_000)) * 10n ** BigInt(random.below(60))).toString()
  for (let index = 0; index < transactions; index++) {
    const sender = someone()
    const receiver = someone()
    const tx_hash = hex(`${hash}${index}`, 32)
    const at = (event: number) => ({ ...head, position: positionOf(number, index, event), tx_hash })
    const token = someone()
    rows.transactions.push({
      ...at(0),
      sender,
      receiver,
      value: amount(),
      fee: '21000',
      nonce: String(index),
      type: 2,
      status: 1,
      gas_used: '21000',
      selector: '0xa9059cbb',
      input_size: 68,
      message: random.below(3) === 0 ? 'a "quoted"\nmessage \u{1f600} {with} braces' : '',
      deeds: '',
    })
    for (let log = 0; log < 1 + random.below(3); log++) {
      const event = at(LOG_EVENT_BASE + log)
      const movement = {
        ...event,
        kind: 'fungible' as const,
        asset: token,
        token_id: '0',
        amount: amount(),
        initiator: sender,
      }
      rows.ledger.push({ ...movement, address: sender, counterparty: receiver, direction: -1 })
      rows.ledger.push({ ...movement, address: receiver, counterparty: sender, direction: 1 })
    }
    rows.approvals.push({
      ...at(LOG_EVENT_BASE + 10),
      owner: sender,
      spender: receiver,
      asset: token,
      kind: 'fungible',
      amount: (2n ** 256n - 1n).toString(),
      initiator: sender,
    })
    rows.creations.push({
      ...at(1),
      contract: token,
      event: 'create',
      creator: sender,
      root_creator: sender,
      code_hash: '',
      code_size: 5,
    })
    rows.pools.push({
      ...at(LOG_EVENT_BASE + 11),
      pool: receiver,
      factory: token,
      kind: 'v2',
      token0: token,
      token1: '',
      fee: 3000,
      hooks: '',
    })
    rows.liquidity.push({
      ...at(LOG_EVENT_BASE + 12),
      pool: receiver,
      event: 'add',
      provider: sender,
      owner: sender,
      amount0: amount(),
      amount1: amount(),
      liquidity: '-5',
    })
    rows.swaps.push({
      ...at(LOG_EVENT_BASE + 13),
      pool: receiver,
      initiator: sender,
      sender,
      recipient: sender,
      amount0: '-7',
      amount1: amount(),
      factory: '',
      token0: '',
      token1: '',
    })
    rows.authority.push({
      ...at(LOG_EVENT_BASE + 14),
      authority: token,
      event: 'freeze',
      subject: receiver,
      actor: sender,
      amount: '0',
      detail: '',
    })
    rows.tokens.push({ ...at(LOG_EVENT_BASE + 15), token, standard: 'erc20', name: 'T', symbol: 'T', decimals: -1 })
    rows.delegations.push({ ...at(2), authority: sender, delegate: token, initiator: sender })
  }
  rows.blocks.push({
    ...head,
    block_hash: hash,
    parent_hash: parentHash,
    transaction_count: transactions,
    sees_traces: 1,
  })
  for (const table of TABLES) if (!tables.includes(table)) rows[table] = []
  return { network, number, hash, parentHash, time, rows }
}

/** Rows of a chain, table by table, as JSON lines sorted as text. */
export const rowsOf = (blocks: readonly Block[]): Record<TableName, string[]> =>
  Object.fromEntries(
    TABLES.map((table) => [
      table,
      blocks.flatMap((block) => block.rows[table].map((row) => JSON.stringify(sorted(row)))).sort(),
    ]),
  ) as Record<TableName, string[]>

const sorted = (row: object) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
export const canonicalLine = (row: object): string => JSON.stringify(sorted(row))

/** Identity of the topics of a test, where it does not make another one. */
export const LOG = 'a log'

export const outgoing = (message: BlockMessage, partition?: number, log = LOG): OutgoingMessage => ({
  ...stamp(message, log),
  ...(partition === undefined ? {} : { partition }),
})

/** Messages of blocks cut into small parts, as those of a block above the size limit are. */
export const encodeInParts = (blocks: readonly Block[], parts: number): BlockMessage[] => {
  if (parts < 2) return encodeBlocks(blocks)
  return Array.from({ length: parts }, (_, part) => {
    const cut = blocks.map((block) => ({
      ...block,
      rows: Object.fromEntries(
        TABLES.map((table) => {
          const rows: unknown[] = block.rows[table]
          const last = part === parts - 1
          if (table === 'blocks') return [table, last ? rows : []]
          return [table, rows.filter((_, index) => index % parts === part)]
        }),
      ) as Block['rows'],
    }))
    const [message] = encodeBlocks(cut)
    if (!message) throw new Error('no message')
    return { ...message, headers: { ...message.headers, part: String(part), of: String(parts) } }
  })
}
