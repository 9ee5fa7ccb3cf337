/**
 * Capabilities of networks. Detectors and flags name those they need; the network entries thus determine where a detector is
 * available.
 */
import { familyOf, NETWORK_CODES, type Network, networkInfo } from '../networks.ts'

type Test = (network: Network) => boolean

const CAPABILITIES = {
  /** Token movements, approvals, pools and contract creations are read from contract events (ERC-20 and related). */
  'contract-events': (network) => familyOf(network).contractEvents,
  /** Token movements, from contract events or from messages between contracts, and deployers of tokens are read. */
  'token-movements': (network) => familyOf(network).tokenMovements,
  /** A private key has the same account on several networks, so that listings elsewhere apply here. */
  'ethereum-keys': (network) => familyOf(network).ethereumKeys,
  /** Accounts may run a contract's code as their own. */
  'delegated-code': (network) => familyOf(network).delegatedCode,
  /** Updates that give other keys power over an account are read. */
  'account-permissions': (network) => familyOf(network).accountPermissions,
  /** Senders' text is read. */
  messages: (network) => familyOf(network).messages,
  /** Nodes offer traces, which show self-destructs. */
  'self-destructs': (network) => familyOf(network).contractEvents && networkInfo(network).traces,
  /** Code of contracts is visible at creation. */
  'contract-code': (network) => familyOf(network).contractCode,
  /** Mixer pools are known. */
  mixers: (network) => networkInfo(network).facts.mixerPools.length > 0,
  /** Dollar-pegged coins are known. */
  'dollar-coins': (network) => networkInfo(network).facts.assets.some(({ flags }) => flags.includes('stable')),
  /** Tokens that gas can be turned into are known. */
  'gas-tokens': (network) => networkInfo(network).facts.gasTokens.length > 0,
  /** A sanctions oracle is known. */
  'sanctions-oracles': (network) => networkInfo(network).facts.sanctionsOracles.length > 0,
  /** Issuers that can freeze accounts are known. */
  issuers: (network) => networkInfo(network).facts.issuers.length > 0,
} satisfies Record<string, Test>

/** Name of a capability; detectors list those they need. */
export type Capability = keyof typeof CAPABILITIES

/** Networks with all of the capabilities, in table order. */
export const networksWith = (...capabilities: readonly Capability[]): Network[] =>
  NETWORK_CODES.filter((network) => capabilities.every((capability) => CAPABILITIES[capability](network)))
