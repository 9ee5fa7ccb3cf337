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

type Codec = { parse: (text: string) => ParsedAddress; format: (canonical: string) => string }

const FAMILIES: Record<AddressFamily, Codec> = {
  evm: { parse: parseEvm, format: checksumEvm },
  tron: { parse: parseTron, format: (canonical) => canonical },
  ton: { parse: parseTon, format: friendlyTon },
  solana: { parse: parseSolana, format: (canonical) => canonical },
}

/** Networks that spell EVM addresses in bech32 too, with their prefix (Cosmos chain registry). */
export const BECH32_PREFIX: Partial<Record<Network, string>> = { HAQQ: 'haqq' }

/**
 * Reads an address as a caller may write it on a network. Nothing is trimmed or guessed: what is not exactly an address
 * is rejected with a reason.
 */
export const parseAddress = (network: Network, text: string): ParsedAddress => {
  const prefix = BECH32_PREFIX[network]
  return prefix === undefined ? FAMILIES[networkInfo(network).family].parse(text) : parseEvmOrBech32(prefix, text)
}

/** The spelling wallets and explorers show: EIP-55, base58 or friendly form. Takes canonical text only. */
export const formatAddress = (network: Network, canonical: string): string =>
  FAMILIES[networkInfo(network).family].format(canonical)

/**
 * Key under which one private key's accounts on several networks meet, for labels of externally owned accounts:
 * the 20 bytes as EVM text on EVM networks and TRON, `undefined` where no other network shares the key format.
 * @throws Error when the text is not canonical.
 */
export const accountKey = (network: Network, canonical: string): string | undefined => {
  const { family } = networkInfo(network)
  if (family === 'evm') return canonical
  return family === 'tron' ? evmFromTron(canonical) : undefined
}

/** The account's canonical address on a network, from its key; `undefined` where the network does not share the key. */
export const addressOfKey = (network: Network, key: string): string | undefined => {
  const { family } = networkInfo(network)
  if (family === 'evm') return key
  return family === 'tron' ? tronFromEvm(key) : undefined
}
