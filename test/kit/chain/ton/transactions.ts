/** Transactions of TON as cells, made with the reference library and none of our code. */
import { Address, type Builder, beginCell, Cell } from '@ton/core'

/** Message an account receives, and its result. */
export type TonTx = {
  /** Account of the transaction, `workchain:hex`. */
  account: string
  /** Sender of the message; omitted if it comes from outside, signed by the account's owner. */
  from?: string
  /** Value of the message, in nanotons. */
  value?: bigint
  body?: Cell
  /** The message is bounced by the account that refused it. */
  bounced?: boolean
  /** Initial code and data of the account. */
  init?: { code: Cell; data: Cell }
  /** The account was frozen for its debts, and the message brings back its state. */
  unfrozen?: true
  /** `skipped`: there is no code to run. `refused`: the message bounces. `stopped`: the code aborts and the coins stay. */
  result?: 'done' | 'skipped' | 'refused' | 'stopped'
  fees?: bigint
  /** A tick of the system, without a message. */
  tick?: boolean
}

const COINS = 1_000_000_000n
export const TON = COINS

export const text = (comment: string): Cell => beginCell().storeUint(0, 32).storeStringTail(comment).endCell()

/** Coins from one account to another. */
export const pay = (from: string, account: string, value: bigint, comment?: string): TonTx => ({
  from,
  account,
  value,
  ...(comment !== undefined && { body: text(comment) }),
  result: 'skipped',
})

/** External message of a wallet's owner. */
export const sign = (account: string): TonTx => ({ account, body: beginCell().storeUint(0x51be, 32).endCell() })

/** A contract deployed by another one. */
export const deploy = (from: string, account: string, body?: Cell): TonTx => ({
  from,
  account,
  value: COINS / 10n,
  init: { code: beginCell().storeUint(0xc0de, 16).endCell(), data: beginCell().endCell() },
  ...(body && { body }),
})

const addressOf = (address: string): Address | null => (address === '' ? null : Address.parseRaw(address))

export type Sent = { from: string; amount: bigint; forward?: bigint }

/** Message between two jetton wallets. */
export const internalTransfer = ({ from, amount }: Sent): Cell =>
  beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .storeAddress(addressOf(from))
    .storeAddress(addressOf(from))
    .storeCoins(1n)
    .storeBit(false)
    .endCell()

const withComment = (cell: Builder, comment: string | undefined): Cell =>
  comment === undefined ? cell.storeBit(false).endCell() : cell.storeBit(true).storeRef(text(comment)).endCell()

/** Request of an owner to its jetton wallet. */
export const jettonTransfer = ({ to, amount, comment }: { to: string; amount: bigint; comment?: string }): Cell => {
  const cell = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .storeAddress(addressOf(to))
    .storeAddress(addressOf(to))
    .storeBit(false)
    .storeCoins(1n)
  return withComment(cell, comment)
}

/** Notification of an owner by its jetton wallet about received jettons. */
export const notification = ({ from, amount, comment }: Sent & { comment?: string }): Cell =>
  withComment(
    beginCell().storeUint(0x7362d09c, 32).storeUint(7, 64).storeCoins(amount).storeAddress(addressOf(from)),
    comment,
  )

/** Notification of an item's new owner. */
export const ownershipAssigned = (from: string, comment?: string): Cell =>
  withComment(beginCell().storeUint(0x05138d91, 32).storeUint(7, 64).storeAddress(addressOf(from)), comment)

export const burnNotification = ({ from, amount }: Sent): Cell =>
  beginCell()
    .storeUint(0x7bdd97de, 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .storeAddress(addressOf(from))
    .storeAddress(addressOf(from))
    .endCell()

export const nftTransfer = (to: string): Cell =>
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(7, 64)
    .storeAddress(addressOf(to))
    .storeAddress(addressOf(to))
    .storeBit(false)
    .storeCoins(1n)
    .storeBit(false)
    .endCell()

const STATE = { uninitialized: 0, frozen: 1, active: 2, none: 3 } as const

const messageOf = (
  { account, from, value = 0n, body, bounced = false, init }: TonTx,
  lt: bigint,
  time: number,
): Cell => {
  const cell = beginCell()
  if (from === undefined) cell.storeUint(2, 2).storeAddress(null).storeAddress(addressOf(account)).storeCoins(0n)
  else {
    cell.storeBit(false).storeBit(true).storeBit(!bounced).storeBit(bounced)
    cell.storeAddress(addressOf(from)).storeAddress(addressOf(account)).storeCoins(value).storeBit(false)
    cell
      .storeCoins(0n)
      .storeCoins(0n)
      .storeUint(lt - 1n, 64)
      .storeUint(time, 32)
  }
  if (init) {
    const state = beginCell()
      .storeUint(0, 2)
      .storeMaybeRef(init.code)
      .storeMaybeRef(init.data)
      .storeBit(false)
      .endCell()
    cell.storeBit(true).storeBit(true).storeRef(state)
  } else cell.storeBit(false)
  return cell
    .storeBit(true)
    .storeRef(body ?? Cell.EMPTY)
    .endCell()
}

/** Actions that all succeeded: none. */
const NO_ACTIONS = beginCell()
  .storeUint(0b110, 3)
  .storeUint(0, 3)
  .storeInt(0, 32)
  .storeBit(false)
  .storeUint(0, 64)
  .storeUint(0, 256)
  .storeVarUint(0n, 3)
  .storeVarUint(0n, 3)
  .endCell()

const phases = (result: NonNullable<TonTx['result']>, tick: boolean): Cell => {
  const cell = beginCell()
  if (tick) cell.storeUint(0b0010, 4).storeCoins(0n).storeBit(false).storeBit(false)
  else cell.storeUint(0, 4).storeBit(true).storeBit(false).storeBit(false)
  const ran = result === 'done'
  if (result === 'skipped') cell.storeBit(false).storeUint(0, 2)
  else {
    const gas = beginCell().storeVarUint(1_937n, 3).storeVarUint(10_000n, 3).storeBit(false).storeInt(0, 8)
    gas
      .storeInt(ran ? 0 : 37, 32)
      .storeBit(false)
      .storeUint(50, 32)
      .storeUint(0, 256)
      .storeUint(0, 256)
    cell.storeBit(true).storeBit(ran).storeUint(0, 2).storeCoins(1_937_000n).storeRef(gas.endCell())
  }
  cell.storeMaybeRef(ran ? NO_ACTIONS : undefined)
  cell.storeBit(!ran)
  if (tick) return cell.storeBit(false).endCell()
  if (result === 'refused') {
    cell.storeBit(true).storeBit(true).storeVarUint(1n, 3).storeVarUint(711n, 3).storeCoins(1n).storeCoins(1n)
  } else cell.storeBit(false)
  return cell.storeBit(false).endCell()
}

/** The account before: its newest transaction, and whether it has code. */
export type Before = { hash: string; lt: bigint; active: boolean }

export const transactionCell = (tx: TonTx, before: Before | undefined, lt: bigint, time: number): Cell => {
  const { account, result = 'done', fees = 2_000_000n, tick = false } = tx
  const deploys = tx.init !== undefined && !before?.active
  const [orig, end] = deploys
    ? [tx.unfrozen ? STATE.frozen : before ? STATE.uninitialized : STATE.none, STATE.active]
    : result === 'skipped'
      ? [before ? STATE.uninitialized : STATE.none, STATE.uninitialized]
      : [STATE.active, STATE.active]
  const message = tick ? undefined : messageOf(tx, lt, time)
  return beginCell()
    .storeUint(7, 4)
    .storeBuffer(Buffer.from(account.split(':')[1]!, 'hex'))
    .storeUint(lt, 64)
    .storeBuffer(Buffer.from(before?.hash ?? '0'.repeat(64), 'hex'))
    .storeUint(before?.lt ?? 0n, 64)
    .storeUint(time, 32)
    .storeUint(0, 15)
    .storeUint(orig, 2)
    .storeUint(end, 2)
    .storeRef(beginCell().storeMaybeRef(message).storeBit(false).endCell())
    .storeCoins(fees)
    .storeBit(false)
    .storeRef(beginCell().storeUint(0x72, 8).storeUint(1, 256).storeUint(2, 256).endCell())
    .storeRef(phases(result, tick))
    .endCell()
}
