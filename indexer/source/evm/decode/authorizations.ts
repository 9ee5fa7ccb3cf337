import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { hashAuthorization } from 'viem/utils'
import { networkInfo } from '../../../../schema/networks.ts'
import type { RawTransaction } from '../raw.ts'
import { type Cursor, headOf } from './cursor.ts'
import { bigintOf, numberOf } from './hex.ts'

type RawAuthorization = NonNullable<RawTransaction['authorizationList']>[number]

const HALF_ORDER = secp256k1.Point.Fn.ORDER / 2n
const MAX_NONCE = 2n ** 64n - 1n
const LEGACY_V = 27
const SET_CODE = 0x4

const paritySource = (authorization: RawAuthorization): number => {
  if (typeof authorization.yParity === 'string') return numberOf(authorization.yParity)
  const v = numberOf(authorization.v)
  return v >= LEGACY_V ? v - LEGACY_V : v
}

const word = (quantity: string): string => quantity.slice(2).padStart(64, '0')

/**
 * Signer of an EIP-7702 authorization; `undefined` for tuples that the chain skips whatever the state: for another chain, with
 * a high `s`, a nonce at the limit, or no recoverable key.
 */
const authorityOf = (authorization: RawAuthorization, chainId: number): string | undefined => {
  const parity = paritySource(authorization)
  const tupleChain = bigintOf(authorization.chainId)
  if ((tupleChain !== 0n && tupleChain !== BigInt(chainId)) || (parity !== 0 && parity !== 1)) return undefined
  if (bigintOf(authorization.s) > HALF_ORDER || bigintOf(authorization.nonce) >= MAX_NONCE) return undefined
  try {
    const hash = hashAuthorization({
      address: `0x${authorization.address.slice(2)}`,
      chainId: Number(tupleChain),
      nonce: Number(bigintOf(authorization.nonce)),
    })
    const compact = hexToBytes(word(authorization.r) + word(authorization.s))
    const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(parity)
    const key = signature.recoverPublicKey(hexToBytes(hash.slice(2))).toBytes(false)
    return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
  } catch {
    return undefined
  }
}

/** Reads the delegations of a type-4 transaction. They apply even if the transaction fails (EIP-7702). */
export const readAuthorizations = (at: Cursor, transaction: RawTransaction): void => {
  const { chainId } = networkInfo(at.network)
  if (numberOf(transaction.type) !== SET_CODE || !transaction.authorizationList || chainId === null) return
  for (const authorization of transaction.authorizationList) {
    const authority = authorityOf(authorization, chainId)
    if (authority === undefined) continue
    const delegate = authorization.address.toLowerCase()
    at.rows.delegations.push({ ...headOf(at, at.positions(0)), authority, delegate, initiator: at.sender })
  }
}
