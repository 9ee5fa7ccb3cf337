/**
 * A chain as long as Ethereum's that is generated on demand: the same seed and transactions give the same blocks. Block hashes match their
 * headers, and roots match transactions and receipts.
 *
 *     block 0 ... | runs of 16 linked blocks | ...            | linked blocks ... head
 *     Ethereum's    the parent of a run's first block does     what followers of the head read
 *                   not exist, so a run is generated without
 *                   the runs before it
 *
 * Other blocks contain transactions of strangers: a few bodies, repeated with the same transactions.
 */
import { keccak256, toHex } from 'viem'
import { headerHash } from '../../../../indexer/source/evm/verify/header.ts'
import { createRlpWriter } from '../../../../indexer/source/evm/verify/rlp.ts'
import { EVENTS } from '../../../../schema/registry/index.ts'
import { seeded } from '../replay-node.ts'
import { addressOf, type Body, bodyOf, FEE, type PlannedTx } from './transactions.ts'

export type Header = Record<string, unknown> & { number: string; hash: string; parentHash: string; timestamp: string }

/** A transaction with its block. */
export type ScheduledTx = PlannedTx & { block: number }

/** State of an account at a block. */
export type Account = { nonce: number; balance: bigint }

export type Mainnet = {
  head: () => number
  /** `undefined` above the head. */
  header: (number: number) => Header | undefined
  body: (number: number) => Body
  /** Number of a block that was served before. */
  numberOf: (hash: string) => number | undefined
  /** Blocks with scheduled transactions, ascending. */
  storyBlocks: () => readonly number[]
  /** Bodies of strangers, and which of them a block has; `undefined` for scheduled and empty blocks. */
  strangers: readonly Body[]
  strangerAt: (number: number) => number | undefined
  account: (address: string, number: number) => Account
  /** Adds blocks; the first contains the transactions. */
  mine: (blocks: number, txs?: readonly PlannedTx[]) => Promise<void>
}

/** Accounts with coins since block 0; all others must be paid first. */
const RICH = ['bank', 'keeper of the oracle', 'issuer'].map(addressOf)
const GENESIS_COINS = 10n ** 24n
const RUN = 16
/** Number of linked blocks below the head. */
const LINKED = 4_096
const CACHED = 8_192
const BLOCK_S = 12
/** First blocks of Ethereum have no transactions. */
const QUIET_UNTIL = 46_147
/** Strangers have no first transaction: their histories are not scheduled. */
const STRANGER_NONCE = 70_000
const STRANGERS = 12
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const ZERO = `0x${'0'.repeat(64)}`
const NOBODY = `0x${'0'.repeat(40)}`
const NO_LOGS = `0x${'0'.repeat(512)}`
const SOME_STATE = `0x${'5e'.repeat(32)}`

/** Ethereum's first block, as in the published genesis file. */
const GENESIS = {
  number: '0x0',
  parentHash: ZERO,
  sha3Uncles: NO_UNCLES,
  miner: NOBODY,
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: NO_LOGS,
  difficulty: '0x400000000',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: ZERO,
  nonce: '0x0000000000000042',
  uncles: [],
}
const EMPTY: Body = {
  transactions: [],
  receipts: [],
  inner: [],
  logs: [],
  root: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  bloom: NO_LOGS,
  gasUsed: 0,
}

const strangersOf = async (): Promise<Body[]> => {
  const token = addressOf('a token')
  const word = (name: string) => `0x${addressOf(name).slice(2).padStart(64, '0')}`
  const bodies: Body[] = []
  for (let at = 0; at < STRANGERS; at += 1) {
    const [from, to] = [`stranger ${at}`, `stranger ${(at + 5) % STRANGERS}`]
    const moves = {
      address: token,
      topics: [EVENTS.transfer.topic, word(from), word(to)],
      data: toHex(at + 1, { size: 32 }),
    }
    bodies.push(
      await bodyOf([
        { tx: { from, to: token, logs: [moves] }, nonce: STRANGER_NONCE },
        { tx: { from: `stranger ${(at + 1) % STRANGERS}`, to: addressOf(to), value: 7n }, nonce: STRANGER_NONCE },
      ]),
    )
  }
  return bodies
}

const newAccount = (address: string): Account => ({
  nonce: 0,
  balance: RICH.includes(address.toLowerCase()) ? GENESIS_COINS : 0n,
})

/** @param headTime time of the first head, Unix seconds */
export const createMainnet = async ({
  height,
  schedule,
  seed = 1,
  headTime = Math.floor(Date.now() / 1_000),
}: {
  height: number
  schedule: readonly ScheduledTx[]
  seed?: number
  headTime?: number
}): Promise<Mainnet> => {
  const strangers = await strangersOf()
  const writer = createRlpWriter()
  const linkedFrom = Math.max(0, height - LINKED - (height % RUN))
  let head = height
  const bodies = new Map<number, Body>()
  const numbers: number[] = []
  const nonces = new Map<string, number>()
  const states = new Map<string, { block: number; nonce: number; balance: bigint }[]>()
  const headers = new Map<number, Header>()
  const shown = new Map<string, number>()

  const strangerAt = (number: number): number | undefined => {
    if (number < QUIET_UNTIL || bodies.has(number)) return undefined
    const chance = seeded(seed ^ Math.imul(number, 0x9e37_79b1))()
    return chance < 0.1 ? undefined : Math.floor(chance * 1_000) % strangers.length
  }
  const body = (number: number): Body => {
    const at = strangerAt(number)
    return bodies.get(number) ?? (at === undefined ? EMPTY : (strangers[at] ?? EMPTY))
  }

  const change = (address: string, block: number, nonce: number, coins: bigint) => {
    const own = states.get(address) ?? [{ block: 0, ...newAccount(address) }]
    const last = own.at(-1) ?? { nonce: 0, balance: 0n }
    if (last.balance + coins < 0n) throw new RangeError(`${address} spends in block ${block} what it does not have`)
    own.push({ block, nonce: last.nonce + nonce, balance: last.balance + coins })
    states.set(address, own)
  }

  /** Blocks must be added in order. */
  const addScheduledBlock = async (block: number, txs: readonly PlannedTx[]) => {
    const numbered = txs.map((tx) => {
      const nonce = nonces.get(tx.from) ?? 0
      nonces.set(tx.from, nonce + 1)
      return { tx, nonce }
    })
    bodies.set(block, await bodyOf(numbered))
    numbers.push(block)
    for (const { from, to, value = 0n, failed, inner = [] } of txs) {
      change(addressOf(from), block, 1, -FEE)
      if (failed) continue
      for (const move of [{ from: addressOf(from), to, value }, ...inner]) {
        if (move.value === 0n) continue
        change(move.from.toLowerCase(), block, 0, -move.value)
        change(move.to.toLowerCase(), block, 0, move.value)
      }
    }
  }

  const seal = (number: number, parentHash: string): Header => {
    const { root, receiptsRoot, bloom, gasUsed } = body(number)
    const plain = {
      number: toHex(number),
      parentHash,
      sha3Uncles: NO_UNCLES,
      miner: addressOf('a miner'),
      stateRoot: SOME_STATE,
      transactionsRoot: root,
      receiptsRoot,
      logsBloom: bloom,
      difficulty: '0x0',
      gasLimit: toHex(30_000_000),
      gasUsed: toHex(gasUsed),
      timestamp: toHex(headTime - (height - number) * BLOCK_S),
      extraData: '0x',
      mixHash: ZERO,
      nonce: '0x0000000000000000',
      baseFeePerGas: '0x1',
      uncles: [],
    }
    return { ...plain, hash: headerHash(plain, writer) }
  }

  const header = (number: number): Header | undefined => {
    if (number < 0 || number > head) return undefined
    const known = headers.get(number)
    if (known) return known
    if (headers.size > CACHED && number < linkedFrom) headers.clear()
    const first = number >= linkedFrom ? linkedFrom : number - (number % RUN)
    let parent = first === 0 ? ZERO : keccak256(toHex(`before block ${first} of chain ${seed}`))
    for (let at = first; at <= number; at += 1) {
      const made = headers.get(at) ?? (at === 0 ? { ...GENESIS, hash: headerHash(GENESIS, writer) } : seal(at, parent))
      headers.set(at, made)
      shown.set(made.hash, at)
      parent = made.hash
    }
    return headers.get(number)
  }

  const blocks = new Map<number, ScheduledTx[]>()
  for (const tx of schedule) blocks.set(tx.block, [...(blocks.get(tx.block) ?? []), tx])
  for (const [block, txs] of [...blocks].sort(([a], [b]) => a - b)) {
    if (block < 1 || block > height) throw new RangeError(`scheduled block ${block} is not in the chain`)
    await addScheduledBlock(block, txs)
  }

  return {
    head: () => head,
    header,
    body,
    numberOf: (hash) => shown.get(hash.toLowerCase()),
    storyBlocks: () => numbers,
    strangers,
    strangerAt,
    account: (address, number) => {
      const state = states.get(address.toLowerCase())?.findLast(({ block }) => block <= number)
      return state ?? newAccount(address)
    },
    mine: async (count, txs = []) => {
      if (txs.length > 0) await addScheduledBlock(head + 1, txs)
      head += count
    },
  }
}
