import type { RawHeader, RawReceipt } from './raw.ts'

/** Contracts that transactions of the block created directly, in lower case. */
export const createdIn = (block: RawHeader, receipts: readonly RawReceipt[]): string[] => {
  const creators = new Set(block.transactions.filter(({ to }) => !to).map(({ hash }) => hash))
  return receipts.flatMap(({ transactionHash, contractAddress, status }) =>
    contractAddress && creators.has(transactionHash) && status !== '0x0' ? [contractAddress.toLowerCase()] : [],
  )
}
