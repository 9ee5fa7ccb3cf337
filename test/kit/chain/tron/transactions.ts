/** Synthetic transactions of TRON, as bytes that hash to their ids, each with the result of its execution. */
import { createHash } from 'node:crypto'
import { bytesField, messageField, numberField } from '../../../../indexer/source/tron/verify/protobuf.ts'
import { evmFromTron } from '../../../../schema/address/index.ts'

export type TronLog = { address: string; topics: string[]; data: string }
export type TronInternal = {
  from: string
  to: string
  value?: bigint
  token?: string
  note?: string
  rejected?: boolean
}

/** A transaction of a block to be created. */
export type TronTx = {
  /** Name and number of the contract type. */
  kind: [name: string, number: number]
  /** Its contract as bytes, and in the form in which nodes print it beside them. */
  contract: Buffer
  printed: Record<string, unknown>
  memo?: string
  result?: string
  fee?: bigint
  energy?: bigint
  created?: string
  logs?: TronLog[]
  internal?: TronInternal[]
}

/** 41-hex of an address in base58. */
export const hex41 = (address: string): string => `41${evmFromTron(address).slice(2)}`
const raw = (address: string): Buffer => Buffer.from(hex41(address), 'hex')
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const topic = (address: string): string => evmFromTron(address).slice(2).padStart(64, '0')

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
/** AddedBlackList(address) */
const ADDED_BLACK_LIST = '42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc'

const log = (address: string, topics: string[], data: string): TronLog => ({
  address: hex41(address).slice(2),
  topics,
  data,
})

export const transferLog = (token: string, from: string, to: string, amount: bigint): TronLog =>
  log(token, [TRANSFER, topic(from), topic(to)], word(amount))
export const nftLog = (token: string, from: string, to: string, id: bigint): TronLog =>
  log(token, [TRANSFER, topic(from), topic(to), word(id)], '')
export const approvalLog = (token: string, owner: string, spender: string, amount: bigint): TronLog =>
  log(token, [APPROVAL, topic(owner), topic(spender)], word(amount))
export const blacklistLog = (token: string, account: string): TronLog =>
  log(token, [ADDED_BLACK_LIST, topic(account)], '')

/** TRX from one account to another. */
export const sendTrx = (from: string, to: string, amount: bigint, more: Partial<TronTx> = {}): TronTx => ({
  kind: ['TransferContract', 1],
  contract: Buffer.concat([bytesField(1, raw(from)), bytesField(2, raw(to)), numberField(3, amount)]),
  printed: { amount, owner_address: hex41(from), to_address: hex41(to) },
  ...more,
})

/** A TRC10 token, by its number. */
export const sendTrc10 = (from: string, to: string, token: string, amount: bigint): TronTx => ({
  kind: ['TransferAssetContract', 2],
  contract: Buffer.concat([
    bytesField(1, Buffer.from(token)),
    bytesField(2, raw(from)),
    bytesField(3, raw(to)),
    numberField(4, amount),
  ]),
  printed: {
    amount,
    asset_name: Buffer.from(token).toString('hex'),
    owner_address: hex41(from),
    to_address: hex41(to),
  },
})

/** A call of a contract. */
export const trigger = (
  from: string,
  contract: string,
  { data = '', value = 0n, ...more }: Partial<TronTx> & { data?: string; value?: bigint } = {},
): TronTx => ({
  kind: ['TriggerSmartContract', 31],
  contract: Buffer.concat([
    bytesField(1, raw(from)),
    bytesField(2, raw(contract)),
    numberField(3, value),
    bytesField(4, Buffer.from(data, 'hex')),
  ]),
  printed: {
    data,
    owner_address: hex41(from),
    contract_address: hex41(contract),
    ...(value > 0n && { call_value: value }),
  },
  energy: 29_650n,
  fee: 2_965_000n,
  ...more,
})

/** A TRC20 transfer, signed by its holder or sent by another account. */
export const sendToken = (token: string, from: string, to: string, amount: bigint, signer = from): TronTx =>
  trigger(signer, token, {
    data: `${signer === from ? 'a9059cbb' : `23b872dd${topic(from)}`}${topic(to)}${word(amount)}`,
    logs: [transferLog(token, from, to, amount)],
  })

/** Creation of a contract. */
export const deploy = (from: string, created: string, more: Partial<TronTx> = {}): TronTx => ({
  kind: ['CreateSmartContract', 30],
  contract: Buffer.concat([
    bytesField(1, raw(from)),
    messageField(2, Buffer.concat([bytesField(1, raw(from)), bytesField(4, Buffer.from('6080', 'hex'))])),
  ]),
  printed: { owner_address: hex41(from), new_contract: { bytecode: '6080', origin_address: hex41(from) } },
  energy: 100_000n,
  created,
  ...more,
})

const permission = (type: number, keys: readonly string[], threshold: number): Buffer =>
  Buffer.concat([
    numberField(1, BigInt(type)),
    numberField(4, BigInt(threshold)),
    ...keys.map((key) => messageField(7, Buffer.concat([bytesField(1, raw(key)), numberField(2, 1n)]))),
  ])

/** Sets who may act for an account. */
export const updatePermissions = (account: string, owners: readonly string[], actives: readonly string[]): TronTx => ({
  kind: ['AccountPermissionUpdateContract', 46],
  contract: Buffer.concat([
    bytesField(1, raw(account)),
    messageField(2, permission(0, owners, owners.length)),
    messageField(4, permission(2, actives, 1)),
  ]),
  printed: { owner_address: hex41(account) },
  fee: 100_000_000n,
})

/** Energy lent to another account: `balance` is the amount staked for it. */
export const delegateEnergy = (from: string, to: string, balance: bigint): TronTx => ({
  kind: ['DelegateResourceContract', 57],
  contract: Buffer.concat([
    bytesField(1, raw(from)),
    numberField(2, 1n),
    numberField(3, balance),
    bytesField(4, raw(to)),
  ]),
  printed: { balance, resource: 'ENERGY', owner_address: hex41(from), receiver_address: hex41(to) },
})

/** Staked coins stay with their owner. */
export const freeze = (owner: string, amount: bigint): TronTx => ({
  kind: ['FreezeBalanceV2Contract', 54],
  contract: Buffer.concat([bytesField(1, raw(owner)), numberField(2, amount), numberField(3, 1n)]),
  printed: { owner_address: hex41(owner), frozen_balance: amount, resource: 'ENERGY' },
})

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** The transaction as nodes print it in a block. `salt` makes equal ones differ, as their times do. */
export const printTransaction = (
  { kind: [name, type], contract, printed, memo, result = 'SUCCESS' }: TronTx,
  salt: number,
) => {
  const url = `type.googleapis.com/protocol.${name}`
  const parameter = Buffer.concat([bytesField(1, Buffer.from(url)), bytesField(2, contract)])
  const bytes = Buffer.concat([
    bytesField(1, Buffer.from('13c2', 'hex')),
    bytesField(4, Buffer.from('05b5c63cf65e5bf0', 'hex')),
    numberField(8, 1_681_820_076_000n + BigInt(salt)),
    bytesField(10, Buffer.from(memo ?? '')),
    messageField(11, Buffer.concat([numberField(1, BigInt(type)), messageField(2, parameter)])),
    numberField(14, 1_681_820_018_907n + BigInt(salt)),
  ])
  return {
    ret: [{ contractRet: result }],
    signature: [`${sha256(bytes).toString('hex').repeat(2)}00`],
    txID: sha256(bytes).toString('hex'),
    raw_data: {
      contract: [{ parameter: { value: printed, type_url: url }, type: name }],
      ref_block_bytes: '13c2',
      ref_block_hash: '05b5c63cf65e5bf0',
      expiration: 1_681_820_076_000 + salt,
      timestamp: 1_681_820_018_907 + salt,
      ...(memo !== undefined && { data: Buffer.from(memo).toString('hex') }),
    },
    raw_data_hex: bytes.toString('hex'),
  }
}
/** Fields of a printed transaction that tests and nodes use. */
export type PrintedTransaction = {
  txID: string
  raw_data: { contract: { parameter: { value: Record<string, unknown>; type_url: string }; type: string }[] }
  raw_data_hex: string
  signature: string[]
  ret: { contractRet?: string }[]
}

/** A block as nodes print it. Members with their default value are absent. */
export type PrintedBlock = {
  blockID: string
  block_header: { raw_data: Record<string, unknown>; witness_signature?: string }
  transactions?: PrintedTransaction[]
}

/** The execution result of the transaction, as nodes print it. Default values are left out. */
export const printInfo = (tx: TronTx, id: string, block: { number: number; time: number }) => {
  const { fee, energy, created, logs = [], internal = [], result = 'SUCCESS', kind } = tx
  const runs = kind[1] === 30 || kind[1] === 31
  return {
    id,
    ...(fee && { fee }),
    blockNumber: block.number,
    blockTimeStamp: block.time,
    contractResult: [''],
    ...(created && { contract_address: hex41(created) }),
    receipt: { ...(energy && { energy_usage_total: energy }), net_usage: 345, ...(runs && { result }) },
    ...(result !== 'SUCCESS' && { result: 'FAILED' }),
    ...(logs.length > 0 && { log: logs.map((one) => ({ ...one, ...(one.data === '' && { data: undefined }) })) }),
    ...(internal.length > 0 && {
      internal_transactions: internal.map(({ from, to, value, token, note = 'call', rejected }, index) => ({
        hash: sha256(Buffer.from(`${id}${index}`)).toString('hex'),
        caller_address: hex41(from),
        transferTo_address: hex41(to),
        callValueInfo: [{ ...(value && { callValue: value }), ...(token && { tokenId: token }) }],
        note: Buffer.from(note).toString('hex'),
        ...(rejected && { rejected }),
      })),
    }),
  }
}
export type PrintedInfo = ReturnType<typeof printInfo>
