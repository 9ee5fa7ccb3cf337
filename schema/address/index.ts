/**
 * Addresses of all networks: reading what callers write, and printing what we store.
 *
 * Canonical text is what tables, topics and caches hold: EVM lower-case `0x` hex, TRON base58check, TON raw
 * `workchain:hex` in lower case, Solana base58.
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
  /** EVM text of the key an address belongs to, and the address of such a key; `null` where keys are of another kind. */
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

/**
 * Reads an address as a caller may write it on a network. Nothing is trimmed or guessed: what is not exactly an address
 * is rejected with a reason.
 */
export const parseAddress = (network: Network, text: string): ParsedAddress => {
  const { bech32Prefix } = networkInfo(network)
  return bech32Prefix === null ? codecOf(network).parse(text) : parseEvmOrBech32(bech32Prefix, text)
}

/** The spelling wallets and explorers show: EIP-55, base58 or friendly form. Takes canonical text only. */
export const formatAddress = (network: Network, canonical: string): string => codecOf(network).format(canonical)

/**
 * Key under which one private key's accounts on several networks meet, for labels of externally owned accounts:
 * the 20 bytes as EVM text on EVM networks and TRON, `undefined` where no other network shares the key format.
 * @throws Error when the text is not canonical.
 */
export const accountKey = (network: Network, canonical: string): string | undefined =>
  codecOf(network).key?.of(canonical)

/** The account's canonical address on a network, from its key; `undefined` where the network does not share the key. */
export const addressOfKey = (network: Network, key: string): string | undefined => codecOf(network).key?.address(key)
