/**
 * Addresses of all networks: parsing the notations that callers use, and formatting stored ones.
 *
 * Canonical text is used in tables, topics and caches: EVM lower-case `0x` hex, TRON base58check, TON raw `workchain:hex`
 * in lower case, Solana base58.
 */
import { type AddressFamily, type Network, networkInfo } from '../networks.ts'
import { bech32Evm, checksumEvm, isCanonicalEvm, parseEvm, parseEvmOrBech32 } from './evm.ts'
import type { ParsedAddress } from './result.ts'
import { parseSolana } from './solana.ts'
import { friendlyTon, parseTon } from './ton.ts'
import { evmFromTron, parseTron, tronFromEvm } from './tron.ts'

export { bech32Evm, checksumEvm, evmFromTron, isCanonicalEvm, type ParsedAddress, tronFromEvm }

type Codec = {
  parse: (text: string) => ParsedAddress
  format: (canonical: string) => string
  /** EVM text of an address's key, and the address of such a key; `null` for families with other keys. */
  key: { of: (canonical: string) => string; address: (key: string) => string } | null
}

const asItIs = (text: string): string => text

const CODECS: Record<AddressFamily, Codec> = {
  evm: { parse: parseEvm, format: checksumEvm, key: { of: asItIs, address: asItIs } },
  tron: { parse: parseTron, format: asItIs, key: { of: evmFromTron, address: tronFromEvm } },
  ton: { parse: parseTon, format: friendlyTon, key: null },
  solana: { parse: parseSolana, format: asItIs, key: null },
}

const codecOf = (network: Network): Codec => CODECS[networkInfo(network).family]

/** Parses an address in any notation of its network. Nothing is trimmed or guessed: other texts are rejected with a reason. */
export const parseAddress = (network: Network, text: string): ParsedAddress => {
  const { bech32Prefix } = networkInfo(network)
  return bech32Prefix === null ? codecOf(network).parse(text) : parseEvmOrBech32(bech32Prefix, text)
}

/** The notation of wallets and explorers: EIP-55, base58 or friendly form. Only takes canonical text. */
export const formatAddress = (network: Network, canonical: string): string => codecOf(network).format(canonical)

/**
 * Common key of one private key's accounts on several networks, for labels of externally owned accounts: the 20 bytes as EVM
 * text on EVM networks and TRON, `undefined` on networks whose key format no other network shares.
 * @throws Error when the text is not canonical.
 */
export const accountKey = (network: Network, canonical: string): string | undefined =>
  codecOf(network).key?.of(canonical)

/** The canonical address of a key on a network; `undefined` if the network does not share the key format. */
export const addressOfKey = (network: Network, key: string): string | undefined => codecOf(network).key?.address(key)
