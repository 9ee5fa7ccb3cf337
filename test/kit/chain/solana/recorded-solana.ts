/** Recorded Solana answers: transactions with all their balances, in consecutive blocks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// biome-ignore lint/suspicious/noExplicitAny: recorded node answers, read here without our own schemas on purpose
export type Json = any

const answerIn = (folder: string, name: string): Json => {
  const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Json
  return (file.response ?? file).result
}

/** Transactions recorded with instructions and balances, in the order of their slots. Excludes edited files. */
export const recordedTransactions = (folder: string): { slot: number; time: number; transaction: Json }[] =>
  readdirSync(folder)
    .filter((name) => /^getTransaction_\d+_/.test(name))
    .flatMap((name) => {
      const result = answerIn(folder, name)
      if (!result?.meta || !Array.isArray(result.transaction?.message?.accountKeys)) return []
      const { slot, blockTime, transaction, meta, version } = result
      return [{ slot, time: blockTime, transaction: { transaction, meta, version } }]
    })
    .sort((a, b) => a.slot - b.slot)

/** Recorded blocks, though cut to a few transactions. */
export const recordedBlocks = (folder: string): { name: string; block: Json }[] =>
  readdirSync(folder)
    .filter((name) => /^getBlock_chainstorage/.test(name))
    .map((name) => ({ name, block: answerIn(folder, name) }))
