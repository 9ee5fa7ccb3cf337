/** Properties that networks with one kind of address and transaction share. */

/** Address family: determines parsing, validation and canonical text. */
export type AddressFamily = 'evm' | 'tron' | 'ton' | 'solana'

/** When two addresses of a family look alike: the parts that wallets and explorers show are equal. */
export type AddressSimilarity = {
  /** Number of leading characters that all addresses of the family share. */
  prefix: number
  /** Minimum number of equal leading and trailing characters, added up. */
  least: number
}

/** Properties that follow from the address family. Detectors and sources use this instead of network names. */
export type FamilyInfo = {
  /** A well-known address, for documentation and tests. */
  exampleAddress: string
  /** Accounts are secp256k1 keys named by the last 20 bytes of their hash, so a key has the same account on all such networks. */
  ethereumKeys: boolean
  /** A transaction has one receiver. On other families, the transactions an account received are unknown. */
  namesReceiver: boolean
  /** Transactions have a nonce, so that the first one of a sender is recognizable. */
  countsTransactions: boolean
  /** Contract events of the ERC standards are read: token movements, approvals, pools. */
  contractEvents: boolean
  /** Pools are not announced; swaps name their pool, its tokens and the program, which has to be registered. */
  swapsNamePools: boolean
  /** Token movements are read, and on-chain names and deployers of tokens. */
  tokenMovements: boolean
  /** The code of a contract is visible at creation. */
  contractCode: boolean
  /**
   * Contracts may have keys: on Solana, mints are created at addresses of keys and can be closed. What signs transactions there
   * is an account, whatever was at its address before.
   */
  keyedContracts: boolean
  /** Accounts may run a contract's code as their own (EIP-7702). */
  delegatedCode: boolean
  /** Accounts may give other keys power over themselves, and such updates are read. */
  accountPermissions: boolean
  /** Senders' text in calldata, or with a transfer, is read. */
  messages: boolean
  /** Provider that takes its API key in a header: domain and header; `null` if keys are in URLs. */
  keyedProvider: { domain: string; header: string } | null
  /** `null` if look-alike addresses are not detected. */
  similarity: AddressSimilarity | null
}

/** The families by name, the `family` of a network's entry. */
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
    keyedContracts: false,
    delegatedCode: true,
    accountPermissions: false,
    messages: true,
    keyedProvider: null,
    // 28 bits: two random addresses match with a probability of 3e-8, and 97 % of the pairs labelled by Guan and Li (CCS 2024) do.
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
    keyedContracts: false,
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
    keyedContracts: false,
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
    keyedContracts: true,
    delegatedCode: false,
    accountPermissions: false,
    messages: false,
    keyedProvider: null,
    similarity: null,
  },
}
