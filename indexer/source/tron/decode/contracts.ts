/**
 * The contract of a transaction: the action that its sender requested. Parsed from the bytes that the transaction's id commits to.
 * Source: java-tron, `Tron.proto` and `protos/core/contract`.
 */
import { type Message, readMessage } from '../verify/protobuf.ts'

/** Numbers of the contract types that are parsed beyond their sender. */
const TYPE = {
  accountCreate: 0,
  transfer: 1,
  transferAsset: 2,
  participateAssetIssue: 9,
  accountUpdate: 10,
  freezeBalance: 11,
  unfreezeBalance: 12,
  setAccountId: 19,
  createSmartContract: 30,
  triggerSmartContract: 31,
  accountPermissionUpdate: 46,
  delegateResource: 57,
  unDelegateResource: 58,
} as const

/** A key that may act for an account after a permission update. */
export type PermittedKey = { address: string; permission: string; weight: bigint; threshold: bigint }

type Called = {
  /** Contract type, by the chain's number. */
  type: number
  sender: string
  /** Receiver of coins, tokens, a call or resources; the sender itself if there is no other. Empty for a creation. */
  receiver: string
  /** TRX sent along, in sun. */
  value: bigint
  /** TRC10 token sent along. */
  token: { id: string; amount: bigint } | undefined
  /** Calldata, empty without. */
  data: Buffer
  creates: boolean
  /** Keys of the account after a permission update, `undefined` for other contracts. */
  keys: PermittedKey[] | undefined
}

/** The signed request, for any contract type. Addresses are `0x` hex, amounts in sun or in base units of the token. */
export type Request = Called & {
  /** The sender's text. */
  memo: Buffer
}

const PRINTABLE = /^[\x21-\x7e]+$/

/** `0x` hex of the 20 bytes after 0x41; empty if the field has no address. */
const addressOf = (bytes: Buffer): string =>
  bytes.length === 21 && bytes[0] === 0x41 ? `0x${bytes.subarray(1).toString('hex')}` : ''

/** Id of a TRC10 token: its number, or its name before tokens were numbered (2019). Unprintable names are in hex. */
const tokenOf = (name: Buffer): string => {
  const text = name.toString('latin1')
  return PRINTABLE.test(text) ? text : `hex:${name.toString('hex')}`
}

const keysOf = (permission: Message, name: string): PermittedKey[] =>
  permission.all(7).map((bytes) => {
    const key = readMessage(bytes)
    return { address: addressOf(key.bytes(1)), permission: name, weight: key.int(2), threshold: permission.int(4) }
  })

const permittedKeys = (contract: Message): PermittedKey[] => [
  ...keysOf(contract.message(2), 'owner'),
  ...contract.all(4).flatMap((active) => keysOf(readMessage(active), 'active')),
]

/** Token and amount sent with a call. */
const sentToken = (id: bigint, amount: bigint): Called['token'] =>
  amount > 0n && id > 0n ? { id: id.toString(), amount } : undefined

/** Fields of a type that differ from the default. */
const fieldsOf = (type: number, contract: Message): Partial<Called> => {
  switch (type) {
    case TYPE.transfer:
      return { receiver: addressOf(contract.bytes(2)), value: contract.int(3) }
    case TYPE.transferAsset:
      return {
        sender: addressOf(contract.bytes(2)),
        receiver: addressOf(contract.bytes(3)),
        token: { id: tokenOf(contract.bytes(1)), amount: contract.int(4) },
      }
    case TYPE.participateAssetIssue:
      return { receiver: addressOf(contract.bytes(2)), value: contract.int(4) }
    case TYPE.accountCreate:
      return { receiver: addressOf(contract.bytes(2)) }
    case TYPE.accountUpdate:
    case TYPE.setAccountId:
      return { sender: addressOf(contract.bytes(2)) }
    case TYPE.freezeBalance:
    case TYPE.unfreezeBalance:
      return { receiver: addressOf(contract.bytes(15)) }
    case TYPE.delegateResource:
    case TYPE.unDelegateResource:
      return { receiver: addressOf(contract.bytes(4)) }
    case TYPE.createSmartContract:
      return {
        creates: true,
        value: contract.message(2).int(5),
        token: sentToken(contract.int(4), contract.int(3)),
        data: contract.message(2).bytes(4),
      }
    case TYPE.triggerSmartContract:
      return {
        receiver: addressOf(contract.bytes(2)),
        value: contract.int(3),
        token: sentToken(contract.int(6), contract.int(5)),
        data: contract.bytes(4),
      }
    case TYPE.accountPermissionUpdate:
      return { keys: permittedKeys(contract) }
    default:
      return {}
  }
}

/**
 * Parses the signed part of a transaction. Contracts of unknown types only have a sender.
 * @throws RangeError when the bytes are not such a message.
 */
export const readRequest = (rawDataHex: string): Request => {
  const raw = readMessage(Buffer.from(rawDataHex, 'hex'))
  const asked = raw.message(11)
  const type = Number(asked.int(1))
  const contract = asked.message(2).message(2)
  const own = fieldsOf(type, contract)
  const sender = own.sender ?? addressOf(contract.bytes(1))
  return {
    type,
    value: 0n,
    token: undefined,
    data: Buffer.alloc(0),
    creates: false,
    keys: undefined,
    memo: raw.bytes(10),
    ...own,
    // An allocation of the first block is negative (the minimum of int64).
    ...(own.value !== undefined && own.value < 0n && { value: 0n }),
    sender,
    receiver: own.creates ? '' : own.receiver || sender,
  }
}
