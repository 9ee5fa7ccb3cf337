/**
 * What networks with one kind of address and transaction have in common.
 */

/** Address codec family: decides parsing, checking and canonical text. */
export type AddressFamily = 'evm' | 'tron' | 'ton' | 'solana'

/** When an address can be taken for another of its family: what wallets and explorers show of it agrees. */
export type AddressSimilarity = {
  /** Characters every address of the family starts with. */
  prefix: number
  /** Leading and trailing characters two addresses have to share, together. */
  least: number
}

/** What follows from the kind of address alone. Detectors and sources ask this instead of naming networks. */
export type FamilyInfo = {
  /** A well-known address, for documentation and tests. */
  exampleAddress: string
  /** Accounts are secp256k1 keys named by the last 20 bytes of their hash, so that one key is one account on all such networks. */
  ethereumKeys: boolean
  /** A transaction names one receiver. Elsewhere what an account received as transactions is unknown. */
  namesReceiver: boolean
  /** Transactions carry how many their sender had signed before, so that the first one is known as such. */
  countsTransactions: boolean
  /** Contract events in the shapes of the ERC standards are read: token movements, approvals, pools. */
  contractEvents: boolean
  /** Nobody announces pools: swaps name their pool, its tokens and the program, which is one of the registry. */
  swapsNamePools: boolean
  /** Movements of tokens are read, with the names that tokens state on the chain and who deployed them. */
  tokenMovements: boolean
  /** The code of a contract is seen when it is created. */
  contractCode: boolean
  /** Accounts may run a contract's code as their own (EIP-7702). */
  delegatedCode: boolean
  /** Accounts may hand the power over themselves to other keys, and such updates are read. */
  accountPermissions: boolean
  /** Text that senders put into calldata, or beside a transfer, is read. */
  messages: boolean
  /** How a provider of nodes takes its key where URLs do not hold it: its domain and the header; `null` where they do. */
  keyedProvider: { domain: string; header: string } | null
  /** `null` where look-alike addresses are not judged. */
  similarity: AddressSimilarity | null
}

/** The families by name, which is the `family` of a network's entry. */
export const FAMILIES: Record<AddressFamily, FamilyInfo> = {
  evm: {
    exampleAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    ethereumKeys: true,
    namesReceiver: true,
    countsTransactions: true,
    contractEvents: true,
    swapsNamePools: false,
    tokenMovements: true,
    contractCode: true,
    delegatedCode: true,
    accountPermissions: false,
    messages: true,
    keyedProvider: null,
    // 28 bits: two random addresses agree with a chance of 3e-8, and 97 % of the pairs labelled by Guan and Li (CCS 2024) do.
    similarity: { prefix: 2, least: 7 },
  },
  tron: {
    exampleAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ethereumKeys: true,
    namesReceiver: true,
    countsTransactions: false,
    contractEvents: true,
    swapsNamePools: false,
    tokenMovements: true,
    contractCode: false,
    delegatedCode: false,
    accountPermissions: true,
    messages: true,
    keyedProvider: { domain: 'trongrid.io', header: 'TRON-PRO-API-KEY' },
    // Base58: 35 bits (our choice).
    similarity: { prefix: 1, least: 6 },
  },
  ton: {
    exampleAddress: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    ethereumKeys: false,
    namesReceiver: true,
    countsTransactions: false,
    contractEvents: false,
    swapsNamePools: false,
    tokenMovements: true,
    contractCode: false,
    delegatedCode: false,
    accountPermissions: false,
    messages: true,
    keyedProvider: { domain: 'toncenter.com', header: 'X-API-Key' },
    similarity: null,
  },
  solana: {
    exampleAddress: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    ethereumKeys: false,
    namesReceiver: false,
    countsTransactions: false,
    contractEvents: false,
    swapsNamePools: true,
    tokenMovements: false,
    contractCode: false,
    delegatedCode: false,
    accountPermissions: false,
    messages: false,
    keyedProvider: null,
    similarity: null,
  },
}
