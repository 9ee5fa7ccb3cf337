/**
 * Swaps in pools: swap instructions of any caller, with the movements in the pool's own accounts until the instruction
 * ended. So the amounts are the pool's, as on other networks, and do not depend on what the caller states.
 */
import type { Rows } from '../../../../schema/block.ts'
import type { SwapPlaces } from '../../../../schema/facts/protocols/protocol.ts'
import { eventTagOf, SWAP_PROGRAMS, swapPlacesOf } from '../../../../schema/registry/signatures/instructions.ts'
import { amountAt, keyAt } from './data.ts'
import type { Instruction } from './instructions.ts'
import { isTokenProgram } from './programs.ts'
import { type HeadOf, type Transaction, transferOf } from './transaction.ts'

type Swap = Rows['swaps']

type Side = { token: string; amount: bigint }
/** What a pool received (positive) and paid, and the trader, as far as known. */
type Trade = { sides: readonly [Side, Side]; sender: string; recipient: string }

const NATIVE = ''
/** Offsets in a trade event of a curve: mint, SOL, tokens, whether they were bought, trader (Pump's `TradeEvent`). */
const EVENT = { mint: 16, native: 48, tokens: 56, bought: 64, trader: 65 }
const tags = new Map<string, Buffer>()

/** The instructions that an instruction called. */
const calledBy = (instructions: readonly Instruction[], one: Instruction): Instruction[] => {
  const called: Instruction[] = []
  // Positions of instructions begin at 1.
  for (let at = one.event; at < instructions.length; at += 1) {
    const next = instructions[at]
    if (!next?.inner) break
    if (one.depth !== undefined && next.depth !== undefined) {
      if (next.depth <= one.depth) break
    } else if (SWAP_PROGRAMS.has(next.program) && swapPlacesOf(next.program, next.data()).length > 0) break
    called.push(next)
  }
  return called
}

/** The net amounts of the two accounts of a pool. */
const tradeOf = (
  { tokenAccounts }: Transaction,
  { event }: Instruction,
  called: readonly Instruction[],
  vaults: readonly [string, string],
): Trade | undefined => {
  const ownerOf = (account: string, event: number) => tokenAccounts.at(account, event)?.owner ?? ''
  const tokens = [tokenAccounts.at(vaults[0], event)?.mint, tokenAccounts.at(vaults[1], event)?.mint] as const
  if (tokens[0] === undefined || tokens[1] === undefined) return undefined
  const transfers = called.flatMap((one) => {
    const transfer = isTokenProgram(one.program) ? transferOf(one) : undefined
    return transfer ? [{ ...transfer, at: one.event }] : []
  })
  let sender = ''
  let recipient = ''
  const amountOf = (vault: string): bigint => {
    let amount = 0n
    for (const moved of transfers) {
      if (moved.target === vault) {
        amount += moved.amount - moved.fee
        sender ||= ownerOf(moved.source, moved.at)
      }
      if (moved.source === vault) {
        amount -= moved.amount
        recipient ||= ownerOf(moved.target, moved.at)
      }
    }
    return amount
  }
  const sides = [
    { token: tokens[0], amount: amountOf(vaults[0]) },
    { token: tokens[1], amount: amountOf(vaults[1]) },
  ] as const
  return { sides, sender, recipient }
}

/** A trade from an event of the program. */
const statedTrade = (called: readonly Instruction[], program: string, name: string): Trade | undefined => {
  const tag = tags.get(name) ?? eventTagOf(name)
  tags.set(name, tag)
  const data = called
    .filter((one) => one.program === program)
    .map((one) => one.data())
    .find((bytes) => bytes.subarray(0, tag.length).equals(tag))
  if (!data) return undefined
  const [token, trader] = [keyAt(data, EVENT.mint), keyAt(data, EVENT.trader)]
  const [native, tokens] = [amountAt(data, EVENT.native), amountAt(data, EVENT.tokens)]
  if (token === undefined || trader === undefined || native === undefined || tokens === undefined) return undefined
  const sign = data[EVENT.bought] === 1 ? 1n : -1n
  const sides = [
    { token: NATIVE, amount: sign * native },
    { token, amount: -sign * tokens },
  ] as const
  return { sides, sender: trader, recipient: trader }
}

/** Swaps of a successful transaction. The two sides must have moved in opposite directions. */
export const swapsOf = (transaction: Transaction, headOf: HeadOf): Swap[] => {
  const { instructions, signers, payer } = transaction
  const swaps: Swap[] = []
  const read = (one: Instruction, places: SwapPlaces, called: readonly Instruction[]) => {
    const at = (place: number) => one.accounts.at(place) ?? ''
    const trade =
      'event' in places
        ? statedTrade(called, one.program, places.event)
        : tradeOf(transaction, one, called, [at(places.vaults[0]), at(places.vaults[1])])
    if (!trade) return
    // The same order of a pool's tokens for both directions.
    const [first, second] = trade.sides[0].token < trade.sides[1].token ? trade.sides : [trade.sides[1], trade.sides[0]]
    if (first.amount * second.amount >= 0n || at(places.pool) === '') return
    const { sender, recipient } = trade
    swaps.push({
      ...headOf(one.event),
      pool: at(places.pool),
      initiator: signers.has(sender) ? sender : signers.has(recipient) ? recipient : payer,
      sender,
      recipient,
      amount0: String(first.amount),
      amount1: String(second.amount),
      factory: one.program,
      token0: first.token,
      token1: second.token,
    })
  }
  for (const one of instructions) {
    if (!SWAP_PROGRAMS.has(one.program)) continue
    const places = swapPlacesOf(one.program, one.data())
    if (places.length === 0) continue
    const called = calledBy(instructions, one)
    for (const pool of places) read(one, pool, called)
  }
  return swaps
}
