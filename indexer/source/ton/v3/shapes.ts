/** Schemas of version 3 for blocks and transactions. Source: `ton-index-go/index/models` of toncenter's ton-indexer. */
import { z } from 'zod'
import { atMost, hash } from '../raw.ts'

const MAX_PREVIOUS = 2
/** Maximum number of messages that a transaction can send (TVM: 255 actions). */
const MAX_SENT = 255

/** A whole number of up to 64 bits, signed or not: text, or a number if it is short. */
const whole = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]).transform(BigInt)
/** An amount, at least zero. */
const amount = z.union([z.int().min(0), z.string().regex(/^\d{1,40}$/)]).transform(BigInt)
const shard = z
  .string()
  .regex(/^[0-9A-Fa-f]{1,16}$/)
  .transform((text) => text.toLowerCase().padStart(16, '0'))
/** `workchain:HEX`. */
const address = z
  .string()
  .regex(/^-?\d{1,3}:[0-9A-Fa-f]{64}$/)
  .transform((text) => text.toLowerCase())
const flag = z.boolean().nullish()
const maybe = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? undefined)
/** Extra currencies, amounts by currency id. */
const currencies = maybe(z.record(z.string().regex(/^\d{1,10}$/), z.string().regex(/^\d{1,76}$/)))

const place = z.looseObject({ workchain: z.int(), shard, seqno: z.int().min(0) })
/** Names a block without its hash, as parents and blocks of transactions are named. */
export type Place = z.output<typeof place>

const block = z.looseObject({
  ...place.shape,
  root_hash: hash,
  file_hash: hash,
  global_id: z.int(),
  after_merge: z.boolean(),
  after_split: z.boolean(),
  gen_utime: whole,
  start_lt: whole,
  end_lt: whole,
  tx_count: z.int().min(0),
  prev_blocks: atMost(MAX_PREVIOUS, place),
})
/** A block as the index prints it. */
export type PrintedBlock = z.output<typeof block>

/** A list of blocks, in the requested order. */
export const blocks = z.looseObject({ blocks: z.array(block) })
/** The index's view of the chain; only the newest block is used. */
export const masterchainInfo = z.looseObject({ last: block })

const content = z.looseObject({ hash, body: z.base64() })

const message = z.looseObject({
  hash,
  source: maybe(z.string()),
  destination: maybe(z.string()),
  value: maybe(amount),
  value_extra_currencies: currencies,
  fwd_fee: maybe(amount),
  ihr_fee: maybe(amount),
  extra_flags: maybe(amount),
  created_lt: maybe(amount),
  created_at: maybe(amount),
  ihr_disabled: flag,
  bounce: flag,
  bounced: flag,
  import_fee: maybe(amount),
  message_content: maybe(content),
  init_state: maybe(content),
})
/** A printed message. Its cell is rebuilt from it, and has to have the printed hash. */
export type PrintedMessage = z.output<typeof message>

const size = z.looseObject({ cells: amount, bits: amount })
const change = z.enum(['unchanged', 'frozen', 'deleted'])

const storage = z.looseObject({
  storage_fees_collected: amount,
  storage_fees_due: maybe(amount),
  status_change: change,
})
/** Storage phase of a transaction. Fees in nanotons, as in the other phases. */
export type PrintedStorage = z.output<typeof storage>

const compute = z.looseObject({
  skipped: flag,
  reason: maybe(z.enum(['no_state', 'bad_state', 'no_gas', 'suspended'])),
  success: flag,
  msg_state_used: flag,
  account_activated: flag,
  gas_fees: maybe(amount),
  gas_used: maybe(amount),
  gas_limit: maybe(amount),
  gas_credit: maybe(amount),
  mode: maybe(z.int()),
  exit_code: maybe(z.int()),
  exit_arg: maybe(z.int()),
  vm_steps: maybe(z.int()),
  vm_init_state_hash: maybe(hash),
  vm_final_state_hash: maybe(hash),
})
/** Compute phase: whether code ran, and how it ended. `reason` is why it was skipped. */
export type PrintedCompute = z.output<typeof compute>

const action = z.looseObject({
  success: z.boolean(),
  valid: z.boolean(),
  no_funds: z.boolean(),
  status_change: change,
  total_fwd_fees: maybe(amount),
  total_action_fees: maybe(amount),
  result_code: z.int(),
  result_arg: maybe(z.int()),
  tot_actions: z.int(),
  spec_actions: z.int(),
  skipped_actions: z.int(),
  msgs_created: z.int(),
  action_list_hash: hash,
  tot_msg_size: size,
})
/** Action phase: the outcome of the actions that the code requested. */
export type PrintedAction = z.output<typeof action>

const bounce = z.looseObject({
  type: z.enum(['negfunds', 'nofunds', 'ok']),
  msg_size: maybe(size),
  req_fwd_fees: maybe(amount),
  msg_fees: maybe(amount),
  fwd_fees: maybe(amount),
})
/** Bounce phase: whether the message went back. */
export type PrintedBounce = z.output<typeof bounce>

const description = z.looseObject({
  type: z.string(),
  aborted: flag,
  destroyed: flag,
  credit_first: flag,
  is_tock: flag,
  storage_ph: maybe(storage),
  credit_ph: maybe(
    z.looseObject({ due_fees_collected: maybe(amount), credit: maybe(amount), credit_extra_currencies: currencies }),
  ),
  compute_ph: maybe(compute),
  action: maybe(action),
  bounce: maybe(bounce),
})
/** Outcome of a transaction, phase by phase; missing phases are undefined. */
export type PrintedDescription = z.output<typeof description>

const state = z.looseObject({ hash })
const status = z.enum(['uninit', 'frozen', 'active', 'nonexist'])

const transaction = z.looseObject({
  account: address,
  hash,
  lt: amount,
  now: z.int(),
  prev_trans_hash: hash,
  prev_trans_lt: amount,
  orig_status: status,
  end_status: status,
  total_fees: amount,
  total_fees_extra_currencies: currencies,
  description,
  block_ref: place,
  in_msg: maybe(message),
  out_msgs: atMost(MAX_SENT, message),
  account_state_before: state,
  account_state_after: state,
  /** Emulated transactions are predictions, not part of a block. */
  emulated: z.literal(false).optional(),
})
/** A printed transaction, with all fields of its cell, so that it can be rebuilt and hashed. */
export type PrintedTransaction = z.output<typeof transaction>

/** A list of printed transactions. */
export const transactions = z.looseObject({ transactions: z.array(transaction) })
