/**
 * What can be known on a network. Detectors and flags name the capabilities they need, and the networks on which they
 * speak follow from the entries.
 */
import { familyOf, NETWORK_CODES, type Network, networkInfo } from '../networks.ts'

type Test = (network: Network) => boolean

const CAPABILITIES = {
  /** Token movements, approvals, pools and contract creations are read from contract events (ERC-20 and its kin). */
  'contract-events': (network) => familyOf(network).contractEvents,
  /** Movements of tokens are read, from contract events or from messages between contracts, and who deployed tokens. */
  'token-movements': (network) => familyOf(network).tokenMovements,
  /** One private key is the same account on other networks too, so that listings elsewhere apply here. */
  'ethereum-keys': (network) => familyOf(network).ethereumKeys,
  /** Accounts may run a contract's code as their own. */
  'delegated-code': (network) => familyOf(network).delegatedCode,
  /** Updates that give the power over an account to other keys are read. */
  'account-permissions': (network) => familyOf(network).accountPermissions,
  /** Text that senders add is read. */
  messages: (network) => familyOf(network).messages,
  /** Nodes offer traces, which show self-destructs. */
  'self-destructs': (network) => familyOf(network).contractEvents && networkInfo(network).traces,
  /** The code of contracts is seen when they are created. */
  'contract-code': (network) => familyOf(network).contractCode,
  /** Mixer pools are known. */
  mixers: (network) => networkInfo(network).facts.mixerPools.length > 0,
  /** Coins pegged to the dollar are known. */
  'dollar-coins': (network) => networkInfo(network).facts.assets.some(({ flags }) => flags.includes('stable')),
  /** Tokens that anybody's gas turns into are known. */
  'gas-tokens': (network) => networkInfo(network).facts.gasTokens.length > 0,
  /** A sanctions oracle is known. */
  'sanctions-oracles': (network) => networkInfo(network).facts.sanctionsOracles.length > 0,
  /** Issuers that can freeze accounts are known. */
  issuers: (network) => networkInfo(network).facts.issuers.length > 0,
} satisfies Record<string, Test>

/** Name of something that can be known on a network; detectors list those they need. */
export type Capability = keyof typeof CAPABILITIES

/** Networks that have all of the capabilities, in table order. */
export const networksWith = (...capabilities: readonly Capability[]): Network[] =>
  NETWORK_CODES.filter((network) => capabilities.every((capability) => CAPABILITIES[capability](network)))
