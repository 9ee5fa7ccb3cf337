import type { RawHeader, RawReceipt } from './raw.ts'

/** Contracts created directly by transactions of the block, in lower case. */
export const createdIn = (block: RawHeader, receipts: readonly RawReceipt[]): string[] => {
  const creators = new Set(block.transactions.filter(({ to }) => !to).map(({ hash }) => hash))
  return receipts.flatMap(({ transactionHash, contractAddress, status }) =>
    contractAddress && creators.has(transactionHash) && status !== '0x0' ? [contractAddress.toLowerCase()] : [],
  )
}
