/**
 * State of a simulation: the node's state, overrides, and changes by the calls with an undo log for reverts. Nothing is
 * written back. The node's values are read on first use.
 */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address, bytesToHex, hexToBytes } from '@ethereumjs/util'
import { keccak256 } from '../../../../platform/keccak.ts'
import type { Overrides } from '../call.ts'
import type { AccountState } from './protocol.ts'

/** State of the pinned block. Addresses and slots are lower-case hex. @throws Error when the node does not answer. */
export type NodeState = {
  account: (address: string) => Promise<AccountState>
  slot: (address: string, slot: string) => Promise<string>
}

type Held = { nonce: bigint; balance: bigint; codeHash: Uint8Array }

const NO_CODE = new Uint8Array(0)
const MAX_CODES = 200
type Code = { code: Uint8Array; hash: Uint8Array }
const placed = new Map<string, Code>()
const bytes = (hex: string): Uint8Array => hexToBytes(hex as `0x${string}`)

const hashed = (code: Uint8Array): Code => ({ code, hash: keccak256(code) })

/** Code and its keccak-256, cached: the same few codes are used again and again. */
const codeOf = (code: string): Code => {
  const known = placed.get(code) ?? hashed(bytes(code))
  if (placed.size > MAX_CODES) placed.clear()
  placed.set(code, known)
  return known
}

const unsupported = () => Promise.reject(new Error('state roots are not kept'))

/** State manager for @ethereumjs/evm. State roots are not supported, and methods that need one reject. */
export const createOverlayState = (node: NodeState, overrides: Overrides): StateManagerInterface => {
  const accounts = new Map<string, Held | undefined>()
  const codes = new Map<string, Uint8Array>()
  const storage = new Map<string, Uint8Array>()
  /** Addresses that were created again in the simulation, so that the node's storage no longer applies. */
  const cleared = new Set<string>()
  const originals = new Map<string, Uint8Array>()
  const undo: (() => void)[] = []
  const marks: number[] = []

  const set = <V>(map: Map<string, V>, key: string, value: V) => {
    const had = map.has(key)
    const before = map.get(key)
    if (marks.length > 0) undo.push(() => (had ? map.set(key, before as V) : map.delete(key)))
    map.set(key, value)
  }

  const load = async (address: string): Promise<Held | undefined> => {
    if (accounts.has(address)) return accounts.get(address)
    const given = overrides[address]
    const found = await node.account(address)
    if (accounts.has(address)) return accounts.get(address)
    const code = given?.code ?? found.code
    const balance = BigInt(given?.balance ?? found.balance)
    const nonce = BigInt(given?.nonce ?? found.nonce)
    const empty = code.length <= 2 && balance === 0n && nonce === 0n
    const { code: runs, hash } = codeOf(code)
    const held = empty ? undefined : { nonce, balance, codeHash: hash }
    accounts.set(address, held)
    codes.set(address, runs)
    return held
  }
  const slotOf = async (address: string, slot: string): Promise<Uint8Array> => {
    const key = address + slot
    const known = storage.get(key)
    if (known) return known
    const given = overrides[address]?.stateDiff?.[slot]
    const value = cleared.has(address) ? NO_CODE : trimmed(bytes(given ?? (await node.slot(address, slot))))
    const meanwhile = storage.get(key)
    if (meanwhile) return meanwhile
    if (!cleared.has(address)) originals.set(key, value)
    storage.set(key, value)
    return value
  }
  const put = (address: string, account: Account | undefined) =>
    set(accounts, address, account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash })

  const state: StateManagerInterface = {
    getAccount: async (address) => {
      const held = await load(address.toString())
      return held && new Account(held.nonce, held.balance, undefined, held.codeHash)
    },
    putAccount: async (address, account) => {
      await load(address.toString())
      put(address.toString(), account)
    },
    deleteAccount: async (address) => {
      await load(address.toString())
      put(address.toString(), undefined)
      set(codes, address.toString(), NO_CODE)
    },
    modifyAccountFields: async (address: Address, fields: AccountFields) => {
      const account = (await state.getAccount(address)) ?? new Account()
      account.nonce = fields.nonce ?? account.nonce
      account.balance = fields.balance ?? account.balance
      account.codeHash = fields.codeHash ?? account.codeHash
      put(address.toString(), account)
    },
    putCode: async (address, value) => {
      await state.modifyAccountFields(address, { codeHash: codeOf(bytesToHex(value)).hash })
      set(codes, address.toString(), value)
    },
    getCode: async (address) => {
      await load(address.toString())
      return codes.get(address.toString()) ?? NO_CODE
    },
    getCodeSize: async (address) => (await state.getCode(address)).length,
    getStorage: (address, key) => slotOf(address.toString(), bytesToHex(key)),
    putStorage: async (address, key, value) => {
      const [who, slot] = [address.toString(), bytesToHex(key)]
      await slotOf(who, slot)
      set(storage, who + slot, trimmed(value))
    },
    clearStorage: async (address) => {
      const who = address.toString()
      if (!cleared.has(who)) {
        cleared.add(who)
        if (marks.length > 0) undo.push(() => cleared.delete(who))
      }
      for (const key of storage.keys()) if (key.startsWith(who)) set(storage, key, NO_CODE)
    },
    checkpoint: async () => {
      marks.push(undo.length)
    },
    commit: async () => {
      marks.pop()
      if (marks.length === 0) undo.length = 0
    },
    revert: async () => {
      const mark = marks.pop() ?? 0
      for (let last = undo.length; last > mark; last--) undo.pop()?.()
    },
    getStateRoot: unsupported,
    setStateRoot: unsupported,
    hasStateRoot: unsupported,
    originalStorageCache: {
      get: async (address, key) => {
        const [who, slot] = [address.toString(), bytesToHex(key)]
        const current = await slotOf(who, slot)
        return originals.get(who + slot) ?? current
      },
      // A transaction begins: current values become the original ones.
      clear: () => {
        for (const [key, value] of storage) originals.set(key, value)
      },
    },
    clearCaches: () => undefined,
    shallowCopy: () => createOverlayState(node, overrides),
  }
  return state
}

/** Storage values have no leading zeros. */
const trimmed = (value: Uint8Array): Uint8Array => {
  let start = 0
  while (start < value.length && value[start] === 0) start++
  return value.subarray(start)
}
