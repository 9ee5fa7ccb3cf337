/**
 * Rebuilds the cells of transactions from version 3's printed form. Its answers have no cells but all fields of a cell, so that the
 * hash can be recomputed: if it matches, the fields are the transaction's.
 * Source: TON, `crypto/block/block.tlb` (Transaction, TransactionDescr and its phases).
 */
import { type Builder, createBuilder } from '../cell/builder.ts'
import { type Cell, hashOf } from '../cell/cell.ts'
import { writeDictionary } from '../cell/dictionary.ts'
import { messageCells, writeCoins } from './message.ts'
import type {
  PrintedAction,
  PrintedBounce,
  PrintedCompute,
  PrintedDescription,
  PrintedStorage,
  PrintedTransaction,
} from './shapes.ts'

const STATUS = { uninit: 0b00, frozen: 0b01, active: 0b10, nonexist: 0b11 } as const
/** Maximum number of combinations of messages that are not printed completely; a transaction has one or two such messages. */
const MAX_COMBINATIONS = 1_024

const required = <T>(value: T | undefined | null, what: string): T => {
  if (value === undefined || value === null) throw new RangeError(`a transaction without its ${what}`)
  return value
}

const writeChange = (builder: Builder, change: PrintedStorage['status_change']): Builder =>
  change === 'unchanged' ? builder.bit(false) : builder.uint(change === 'frozen' ? 0b10 : 0b11, 2)

const writeSize = (builder: Builder, size: PrintedAction['tot_msg_size']): Builder =>
  builder.variable(size.cells, 3).variable(size.bits, 3)

const writeStorage = (builder: Builder, phase: PrintedStorage): Builder => {
  builder.coins(phase.storage_fees_collected).maybe(phase.storage_fees_due, (to, due) => to.coins(due))
  return writeChange(builder, phase.status_change)
}

const writeCredit = (builder: Builder, phase: NonNullable<PrintedDescription['credit_ph']>): Builder => {
  builder.maybe(phase.due_fees_collected, (to, due) => to.coins(due))
  return writeCoins(builder, required(phase.credit, 'credit'), phase.credit_extra_currencies)
}

const SKIPPED = { no_state: [0b00, 2], bad_state: [0b01, 2], no_gas: [0b10, 2], suspended: [0b110, 3] } as const

const writeCompute = (builder: Builder, phase: PrintedCompute): Builder => {
  if (phase.skipped === true) {
    const [value, bits] = SKIPPED[required(phase.reason, 'reason')]
    return builder.bit(false).uint(value, bits)
  }
  const run = createBuilder()
    .variable(required(phase.gas_used, 'gas'), 3)
    .variable(required(phase.gas_limit, 'limit of gas'), 3)
    .maybe(phase.gas_credit, (to, credit) => to.variable(credit, 2))
    .uint(required(phase.mode, 'mode'), 8)
    .uint(required(phase.exit_code, 'exit code'), 32)
    .maybe(phase.exit_arg, (to, argument) => to.uint(argument, 32))
    .uint(required(phase.vm_steps, 'steps'), 32)
    .hash(required(phase.vm_init_state_hash, 'first state'))
    .hash(required(phase.vm_final_state_hash, 'last state'))
  builder
    .bit(true)
    .bit(phase.success === true)
    .bit(phase.msg_state_used === true)
    .bit(phase.account_activated === true)
  return builder.coins(required(phase.gas_fees, 'fees for gas')).ref(run.end())
}

const actionCell = (phase: PrintedAction): Cell => {
  const builder = createBuilder().bit(phase.success).bit(phase.valid).bit(phase.no_funds)
  writeChange(builder, phase.status_change)
    .maybe(phase.total_fwd_fees, (to, fees) => to.coins(fees))
    .maybe(phase.total_action_fees, (to, fees) => to.coins(fees))
    .uint(phase.result_code, 32)
    .maybe(phase.result_arg, (to, argument) => to.uint(argument, 32))
    .uint(phase.tot_actions, 16)
    .uint(phase.spec_actions, 16)
    .uint(phase.skipped_actions, 16)
    .uint(phase.msgs_created, 16)
    .hash(phase.action_list_hash)
  return writeSize(builder, phase.tot_msg_size).end()
}

const writeBounce = (builder: Builder, phase: PrintedBounce): Builder => {
  if (phase.type === 'negfunds') return builder.uint(0b00, 2)
  const size = required(phase.msg_size, 'size of what bounced')
  if (phase.type === 'nofunds') {
    return writeSize(builder.uint(0b01, 2), size).coins(required(phase.req_fwd_fees, 'fees that a bounce needs'))
  }
  writeSize(builder.bit(true), size).coins(required(phase.msg_fees, 'fees of a bounce'))
  return builder.coins(required(phase.fwd_fees, 'fees of a bounce'))
}

const descriptionCell = (printed: PrintedDescription, external: boolean): Cell => {
  const builder = createBuilder()
  const { action, aborted, destroyed } = printed
  const compute = () => {
    writeCompute(builder, required(printed.compute_ph, 'run'))
    builder.maybe(action, (to, phase) => to.ref(actionCell(phase))).bit(aborted === true)
  }
  switch (printed.type) {
    case 'ord':
      builder
        .uint(0b0000, 4)
        .bit(printed.credit_first === true)
        .maybe(printed.storage_ph, writeStorage)
      // Nothing is credited for a message from outside, although some versions of the index print a credit phase.
      builder.maybe(external ? undefined : printed.credit_ph, writeCredit)
      compute()
      builder.maybe(printed.bounce, writeBounce).bit(destroyed === true)
      return builder.end()
    case 'tick_tock':
      builder.uint(0b001, 3).bit(printed.is_tock === true)
      writeStorage(builder, required(printed.storage_ph, 'storage'))
      compute()
      return builder.bit(destroyed === true).end()
    case 'storage':
      return writeStorage(builder.uint(0b0001, 4), required(printed.storage_ph, 'storage')).end()
    default:
      throw new RangeError(`a transaction of kind ${printed.type.slice(0, 20)}`)
  }
}

/** All combinations of one item from each list. */
const combinations = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>(
    (made, list) => {
      if (made.length * list.length > MAX_COMBINATIONS) throw new RangeError('too many messages to the outside')
      return made.flatMap((chosen) => list.map((one) => [...chosen, one]))
    },
    [[]],
  )

/** The cell of a printed transaction. @throws RangeError when the fields do not have its hash. */
export const rebuildTransaction = (printed: PrintedTransaction): Cell => {
  const { in_msg: taken, out_msgs: sent } = printed
  const [, account = ''] = printed.account.split(':')
  const external = taken !== undefined && taken.value === undefined
  const description = descriptionCell(printed.description, external)
  const states = createBuilder().uint(0x72, 8)
  states.hash(printed.account_state_before.hash).hash(printed.account_state_after.hash)
  const changed = states.end()
  // The incoming message is decoded, so it has to be complete; outgoing ones are only needed for the hash.
  const message = taken && messageCells(taken)[0]
  for (const outgoing of combinations(sent.map(messageCells))) {
    const entries = outgoing.map((cell, index) => [index, (value: Builder) => value.ref(cell)] as const)
    const messages = createBuilder()
      .maybe(message, (to, cell) => to.ref(cell))
      .maybe(writeDictionary(new Map(entries), 15), (to, cell) => to.ref(cell))
    const builder = createBuilder()
      .uint(0b0111, 4)
      .hash(account)
      .uint(printed.lt, 64)
      .hash(printed.prev_trans_hash)
      .uint(printed.prev_trans_lt, 64)
      .uint(printed.now, 32)
      .uint(sent.length, 15)
      .uint(STATUS[printed.orig_status], 2)
      .uint(STATUS[printed.end_status], 2)
      .ref(messages.end())
    const cell = writeCoins(builder, printed.total_fees, printed.total_fees_extra_currencies)
      .ref(changed)
      .ref(description)
      .end()
    if (hashOf(cell).toString('hex') === printed.hash) return cell
  }
  throw new RangeError('its printed fields do not match its hash')
}
