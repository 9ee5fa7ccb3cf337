/**
 * Demonstration addresses for test keys: one per verdict and network. They are small numbers in the address format of the network.
 * Their records do not come from chain data.
 */
import { base58 } from '@scure/base'
import { parseAddress } from '../../../schema/address/index.ts'
import { type AddressFamily, type Network, networkInfo } from '../../../schema/networks.ts'

/** Verdicts that test keys can get. */
export const CASES = ['clean', 'fraud', 'new'] as const
/** One of them. */
export type DemonstrationCase = (typeof CASES)[number]

/** Number of the first case; the others follow. */
const FIRST = 0xde3001

const hexOf = (number: number, bytes: number): string => number.toString(16).padStart(bytes * 2, '0')

const SPELLINGS: Record<AddressFamily, (number: number) => string> = {
  evm: (number) => `0x${hexOf(number, 20)}`,
  tron: (number) => `41${hexOf(number, 20)}`,
  ton: (number) => `0:${hexOf(number, 32)}`,
  solana: (number) => base58.encode(Buffer.from(hexOf(number, 32), 'hex')),
}

/** The address of a case on a network, in canonical text. */
export const demonstrationAddress = (network: Network, name: DemonstrationCase): string => {
  const spelling = SPELLINGS[networkInfo(network).family](FIRST + CASES.indexOf(name))
  const parsed = parseAddress(network, spelling)
  if (!parsed.ok) throw new RangeError(`${spelling} is no address of ${network}`)
  return parsed.canonical
}

/** The case of a canonical address; `undefined` if it is not a demonstration address. */
export const caseOf = (network: Network, address: string): DemonstrationCase | undefined =>
  CASES.find((name) => demonstrationAddress(network, name) === address)
