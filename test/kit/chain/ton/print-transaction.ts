/**
 * A transaction in the format of an index of version 3, made with the reference library and none of our code: names and forms of
 * fields as in `ton-index-go/index/models/blockchain.go`. Omits what the index loses: where body and initial state of a message are
 * stored, and addresses outside the chain.
 */
import {
  beginCell,
  Cell,
  type CurrencyCollection,
  Dictionary,
  loadMessage,
  loadTransaction,
  type StorageUsed,
  storeStateInit,
  type TransactionActionPhase,
  type TransactionBouncePhase,
  type TransactionComputePhase,
  type TransactionStoragePhase,
} from '@ton/core'
import type { PrintedId } from './chain.ts'

const STATUS = { active: 'active', frozen: 'frozen', uninitialized: 'uninit', 'non-existing': 'nonexist' } as const
const base64 = (bytes: Buffer): string => bytes.toString('base64')
const hashOf = (value: bigint): string => base64(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
const text = (value: bigint | number | null | undefined): string | undefined => value?.toString()
const others = ({ other }: CurrencyCollection): Record<string, string> => {
  const found = other as Dictionary<number, bigint> | null | undefined
  return Object.fromEntries((found?.keys() ?? []).map((key) => [`${key}`, `${found?.get(key)}`]))
}
const content = (cell: Cell) => ({ hash: base64(cell.hash()), body: base64(cell.toBoc()), decoded: null })

const message = (cell: Cell) => {
  const { info, init, body } = loadMessage(cell.beginParse())
  const internal = info.type === 'internal' ? info : undefined
  const timed = info.type === 'external-in' ? undefined : info
  return {
    hash: base64(cell.hash()),
    source: timed?.src.toRawString().toUpperCase() ?? null,
    destination: info.type === 'external-out' ? null : info.dest.toRawString().toUpperCase(),
    value: text(internal?.value.coins) ?? null,
    value_extra_currencies: internal ? others(internal.value) : null,
    fwd_fee: text(internal?.forwardFee) ?? null,
    ihr_fee: text(internal?.ihrFee) ?? null,
    extra_flags: null,
    created_lt: text(timed?.createdLt) ?? null,
    created_at: text(timed?.createdAt) ?? null,
    opcode: null,
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    import_fee: info.type === 'external-in' ? text(info.importFee) : null,
    message_content: content(body),
    init_state: init ? content(beginCell().store(storeStateInit(init)).endCell()) : null,
  }
}

const size = ({ cells, bits }: StorageUsed) => ({ cells: text(cells), bits: text(bits) })

const storage = (phase: TransactionStoragePhase | null | undefined) =>
  phase
    ? {
        storage_fees_collected: text(phase.storageFeesCollected),
        storage_fees_due: text(phase.storageFeesDue),
        status_change: phase.statusChange,
      }
    : undefined

const compute = (phase: TransactionComputePhase) =>
  phase.type === 'skipped'
    ? { skipped: true, reason: phase.reason.replace('-', '_') }
    : {
        skipped: false,
        success: phase.success,
        msg_state_used: phase.messageStateUsed,
        account_activated: phase.accountActivated,
        gas_fees: text(phase.gasFees),
        gas_used: text(phase.gasUsed),
        gas_limit: text(phase.gasLimit),
        gas_credit: text(phase.gasCredit),
        mode: phase.mode,
        exit_code: phase.exitCode,
        exit_arg: phase.exitArg ?? undefined,
        vm_steps: phase.vmSteps,
        vm_init_state_hash: hashOf(phase.vmInitStateHash),
        vm_final_state_hash: hashOf(phase.vmFinalStateHash),
      }

const action = (phase: TransactionActionPhase | null | undefined) =>
  phase
    ? {
        success: phase.success,
        valid: phase.valid,
        no_funds: phase.noFunds,
        status_change: phase.statusChange,
        total_fwd_fees: text(phase.totalFwdFees),
        total_action_fees: text(phase.totalActionFees),
        result_code: phase.resultCode,
        result_arg: phase.resultArg ?? undefined,
        tot_actions: phase.totalActions,
        spec_actions: phase.specActions,
        skipped_actions: phase.skippedActions,
        msgs_created: phase.messagesCreated,
        action_list_hash: hashOf(phase.actionListHash),
        tot_msg_size: size(phase.totalMessageSize),
      }
    : undefined

const bounce = (phase: TransactionBouncePhase | null | undefined) => {
  if (!phase) return undefined
  if (phase.type === 'negative-funds') return { type: 'negfunds' }
  const common = { msg_size: size(phase.messageSize) }
  return phase.type === 'no-funds'
    ? { type: 'nofunds', ...common, req_fwd_fees: text(phase.requiredForwardFees) }
    : { type: 'ok', ...common, msg_fees: text(phase.messageFees), fwd_fees: text(phase.forwardFees) }
}

const description = (found: ReturnType<typeof loadTransaction>['description']) => {
  switch (found.type) {
    case 'generic':
      return {
        type: 'ord',
        aborted: found.aborted,
        destroyed: found.destroyed,
        credit_first: found.creditFirst,
        storage_ph: storage(found.storagePhase),
        credit_ph: found.creditPhase
          ? {
              due_fees_collected: text(found.creditPhase.dueFeesColelcted),
              credit: text(found.creditPhase.credit.coins),
              credit_extra_currencies: others(found.creditPhase.credit),
            }
          : undefined,
        compute_ph: compute(found.computePhase),
        action: action(found.actionPhase),
        bounce: bounce(found.bouncePhase),
      }
    case 'tick-tock':
      return {
        type: 'tick_tock',
        aborted: found.aborted,
        destroyed: found.destroyed,
        is_tock: found.isTock,
        storage_ph: storage(found.storagePhase),
        compute_ph: compute(found.computePhase),
        action: action(found.actionPhase),
      }
    case 'storage':
      return { type: 'storage', storage_ph: storage(found.storagePhase) }
    default:
      return { type: found.type.replace('-', '_') }
  }
}

/** Cells of the messages that a transaction received and sent. */
const messagesOf = (cell: Cell): { taken: Cell | null; sent: Cell[] } => {
  const slice = cell.refs[0]!.beginParse()
  const taken = slice.loadMaybeRef()
  const dictionary = slice.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell())
  return { taken, sent: dictionary.keys().map((key) => dictionary.get(key)!) }
}

const hex = (shard: string): string => BigInt.asUintN(64, BigInt(shard)).toString(16).toUpperCase()

/** Id of a block in the format of the index. */
export const printPlace = ({ workchain, shard, seqno }: Pick<PrintedId, 'workchain' | 'shard' | 'seqno'>) => ({
  workchain,
  shard: hex(shard),
  seqno,
})

export const printTransaction = (bag: Buffer, block: PrintedId) => {
  const cell = Cell.fromBoc(bag)[0]!
  const found = loadTransaction(cell.beginParse())
  const { taken, sent } = messagesOf(cell)
  const account = found.address.toString(16).padStart(64, '0').toUpperCase()
  // Other currencies among the fees precede it.
  const states = cell.refs.at(-2)!.beginParse().skip(8)
  return {
    account: `${block.workchain}:${account}`,
    hash: base64(cell.hash()),
    lt: text(found.lt),
    now: found.now,
    prev_trans_hash: hashOf(found.prevTransactionHash),
    prev_trans_lt: text(found.prevTransactionLt),
    orig_status: STATUS[found.oldStatus],
    end_status: STATUS[found.endStatus],
    total_fees: text(found.totalFees.coins),
    total_fees_extra_currencies: others(found.totalFees),
    description: description(found.description),
    block_ref: printPlace(block),
    in_msg: taken ? message(taken) : null,
    out_msgs: sent.map(message),
    account_state_before: { hash: base64(states.loadBuffer(32)) },
    account_state_after: { hash: base64(states.loadBuffer(32)) },
    emulated: false,
    finality: 'finalized',
  }
}
