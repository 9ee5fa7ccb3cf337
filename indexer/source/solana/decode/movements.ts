/**
 * The movements of a transaction. Balances before and after are authoritative; instructions show the parties. Movements are
 * first read from the instructions of the system and token programs. The rest of a balance change was moved by a program
 * itself: if there is only one giver or only one receiver, both sides are known; otherwise the other side stays empty. So
 * the rows of a party always add up to the change of its balances.
 *
 * Parties are owners: the content of a token account, including its SOL deposit, is its owner's. The SOL behind wrapped SOL is
 * attributed to the mint, as that of other wrapped coins to their contracts.
 */
import type { LedgerRow } from '../../../../schema/block.ts'
import { amountAt, numberAt } from './data.ts'
import type { Instruction } from './instructions.ts'
import { isTokenProgram, SYSTEM, SYSTEM_CALL, TOKEN_CALL } from './programs.ts'
import { type Transaction, tokenAmount, transferOf } from './transaction.ts'

/** One movement of SOL or of a token in a transaction, in base units. `event` is its position in the transaction. */
export type Movement = {
  event: number
  kind: LedgerRow['kind']
  /** Empty if unknown. */
  from: string
  to: string
  /** Mint; empty for SOL. */
  asset: string
  amount: bigint
}

const NATIVE = ''
/** Offset of the seed's length in `createWithSeed`: after the call and the base key. */
const SEED_LENGTH_PLACE = 36

type Balances = Map<string, Map<string, bigint>>

const add = (balances: Balances, asset: string, party: string, amount: bigint) => {
  let parties = balances.get(asset)
  if (!parties) {
    parties = new Map()
    balances.set(asset, parties)
  }
  const before = parties.get(party)
  if (before === undefined) parties.set(party, amount)
  else if (amount !== 0n) parties.set(party, before + amount)
}

/** @param wrapped mint of wrapped SOL. */
export const movementsOf = (transaction: Transaction, wrapped: string): Movement[] => {
  const { meta, keys, instructions, tokenAccounts } = transaction
  const movements: Movement[] = []
  /** Balance changes that no movement explains yet. */
  const open: Balances = new Map()
  /** SOL of each account, updated instruction by instruction, for accounts that are emptied by closing them. */
  const lamports = new Map<string, bigint>()
  const lamportsOf = (account: string): bigint =>
    lamports.get(account) ?? BigInt(meta.preBalances[keys.lastIndexOf(account)] ?? 0)

  const ownerOf = (account: string, event: number) => tokenAccounts.at(account, event)?.owner ?? account
  const holderOf = (account: string, event: number) => {
    const held = tokenAccounts.at(account, event)
    return held === undefined ? account : held.mint === wrapped ? wrapped : held.owner
  }
  const isWhole = (asset: string, amount: bigint, decimals: number | undefined) =>
    asset !== NATIVE && amount === 1n && decimals === 0

  const decimalsOf = tokenAccounts.decimals
  const end = instructions.length + 1

  keys.forEach((key, index) => {
    const [before, after] = [meta.preBalances[index] ?? 0, meta.postBalances[index] ?? 0]
    const [first, last] = [holderOf(key, 0), holderOf(key, end)]
    if (first !== last) {
      add(open, NATIVE, first, -BigInt(before))
      add(open, NATIVE, last, BigInt(after))
      return
    }
    // Most balances do not change.
    const change = before === after ? 0n : BigInt(after) - BigInt(before)
    add(open, NATIVE, first, index === 0 ? change + BigInt(meta.fee) : change)
  })
  const tokenChange = (balances: typeof meta.preTokenBalances, sign: bigint) => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      add(open, mint, owner ?? keys[accountIndex] ?? '', sign * BigInt(uiTokenAmount.amount))
    }
  }
  tokenChange(meta.preTokenBalances, -1n)
  tokenChange(meta.postTokenBalances, 1n)

  const record = (event: number, kind: Movement['kind'], from: string, to: string, asset: string, amount: bigint) => {
    if (from !== '') add(open, asset, from, amount)
    if (to !== '') add(open, asset, to, -amount)
    // A movement between two accounts of one owner changes nothing.
    if (from !== to) movements.push({ event, kind, from, to, asset, amount })
  }
  const moveLamports = ({ event, inner }: Instruction, from: string, to: string, amount: bigint) => {
    lamports.set(from, lamportsOf(from) - amount)
    lamports.set(to, lamportsOf(to) + amount)
    if (amount > 0n) {
      record(event, inner ? 'internal' : 'native', holderOf(from, event), holderOf(to, event), NATIVE, amount)
    }
  }
  const moveTokens = (event: number, mint: string, from: string, to: string, amount: bigint) => {
    const kind = isWhole(mint, amount, decimalsOf.get(mint)) ? 'nft' : 'fungible'
    record(event, kind, from, to, mint, amount)
  }

  const readSystem = (one: Instruction) => {
    const data = one.data()
    const call = numberAt(data, 0)
    const [first, second, third] = one.accounts
    if (first === undefined || second === undefined) return
    if (call === SYSTEM_CALL.create || call === SYSTEM_CALL.transfer || call === SYSTEM_CALL.withdrawNonce) {
      moveLamports(one, first, second, amountAt(data, 4) ?? 0n)
    } else if (call === SYSTEM_CALL.createWithSeed) {
      const seed = amountAt(data, SEED_LENGTH_PLACE)
      const place = seed === undefined || seed > 32n ? data.length : SEED_LENGTH_PLACE + 8 + Number(seed)
      moveLamports(one, first, second, amountAt(data, place) ?? 0n)
    } else if (call === SYSTEM_CALL.transferWithSeed && third !== undefined) {
      moveLamports(one, first, third, amountAt(data, 4) ?? 0n)
    }
  }

  const transferTokens = (event: number, source: string, target: string, named: string | undefined, amount: bigint) => {
    const mint = named ?? tokenAccounts.at(source, event)?.mint ?? tokenAccounts.at(target, event)?.mint
    if (mint === undefined) return
    if (mint === wrapped) {
      lamports.set(source, lamportsOf(source) - amount)
      lamports.set(target, lamportsOf(target) + amount)
    }
    moveTokens(event, mint, ownerOf(source, event), ownerOf(target, event), amount)
  }

  const readToken = (one: Instruction) => {
    const data = one.data()
    const { event } = one
    const transfer = transferOf(one)
    if (transfer) {
      const { source, target, mint, amount, fee } = transfer
      transferTokens(event, source, target, mint, amount)
      if (fee > 0n && mint !== undefined) moveTokens(event, mint, ownerOf(target, event), mint, fee)
      return
    }
    const [first, second] = one.accounts
    if (first === undefined || second === undefined) return
    const amount = tokenAmount(data)
    switch (data[0]) {
      case TOKEN_CALL.mintTo:
      case TOKEN_CALL.mintToChecked:
        if (amount !== undefined) moveTokens(event, first, first, ownerOf(second, event), amount)
        return
      case TOKEN_CALL.burn:
      case TOKEN_CALL.burnChecked:
        if (amount !== undefined) moveTokens(event, second, ownerOf(first, event), second, amount)
        return
      case TOKEN_CALL.closeAccount:
        moveLamports(one, first, second, lamportsOf(first))
        return
      default:
    }
  }

  for (const one of instructions) {
    if (one.program === SYSTEM) readSystem(one)
    else if (isTokenProgram(one.program)) readToken(one)
  }

  let event = instructions.length
  const rest = (asset: string, from: string, to: string, amount: bigint) => {
    event += 1
    const whole = isWhole(asset, amount, decimalsOf.get(asset))
    const kind = asset === NATIVE ? 'internal' : asset === wrapped ? 'wrap' : whole ? 'nft' : 'fungible'
    movements.push({ event, kind, from, to, asset, amount })
  }
  for (const [asset, parties] of open) {
    // Tokens come from and go to the mint, so its balance change is not its own.
    if (asset !== NATIVE) parties.delete(asset)
    const gave: { party: string; left: bigint }[] = []
    const got: typeof gave = []
    for (const [party, change] of parties) {
      if (change < 0n) gave.push({ party, left: -change })
      else if (change > 0n) got.push({ party, left: change })
    }
    if (asset !== wrapped && (gave.length === 1 || got.length === 1)) {
      for (const from of gave) {
        for (const to of got) {
          let amount = from.left
          if (to.left < amount) amount = to.left
          if (amount === 0n) continue
          rest(asset, from.party, to.party, amount)
          from.left -= amount
          to.left -= amount
        }
      }
    }
    for (const { party, left } of gave) if (left > 0n) rest(asset, party, asset, left)
    for (const { party, left } of got) if (left > 0n) rest(asset, asset, party, left)
  }
  return movements
}
