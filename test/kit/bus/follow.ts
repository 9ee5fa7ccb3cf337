/** What a consumer of the block topics holds at the end, and the chain of a node. */
import type { Message } from '../../../platform/bus/bus.ts'
import type { TableName } from '../../../schema/block.ts'
import { decodeBlocks, decodeHeaders } from '../../../schema/topics.ts'
import type { Anvil } from '../chain/anvil.ts'

export type ReplayedBlock = { number: number; hash: string; rows: string[] }

/**
 * Applies `new` and `undo` messages as a consumer does and checks the documented contract: blocks extend the chain, an
 * undo removes exactly the newest block and restores the named one, nothing final is undone, the final height never falls.
 */
export const replayTopics = (history: readonly Message[], head: readonly Message[]) => {
  const chain = new Map<number, ReplayedBlock & { parentHash: string }>()
  let tip: number | undefined
  let final = -1

  const addRows = (message: Message) => {
    for (const { table, rows } of decodeBlocks(message).sections) {
      for (const line of rows.toString().split('\n').filter(Boolean)) {
        const row = JSON.parse(line) as { block_number: number }
        chain.get(row.block_number)!.rows.push(`${table satisfies TableName} ${line}`)
      }
    }
  }
  const addBlocks = (message: Message, ordered: boolean) => {
    const { headers, blocks } = decodeBlocks(message)
    if (headers.part === 0) {
      for (const { number, hash, parentHash } of blocks) {
        if (chain.has(number)) throw new Error(`block ${number} was published twice`)
        if (ordered && tip !== undefined && (number !== tip + 1 || chain.get(tip)?.hash !== parentHash)) {
          throw new Error(`block ${number} does not extend ${tip}`)
        }
        chain.set(number, { number, hash, parentHash, rows: [] })
        tip = Math.max(tip ?? number, number)
      }
    }
    addRows(message)
  }

  for (const message of history) addBlocks(message, false)
  for (const message of head) {
    const { step, from, to, hash } = decodeHeaders(message.headers)
    if (step === 'new') addBlocks(message, true)
    else if (step === 'undo') {
      if (to !== tip) throw new Error(`undo up to ${to}, but the tip is ${tip}`)
      if (from <= final) throw new Error(`undo of final block ${from}`)
      for (let number = from; number <= to; number += 1) chain.delete(number)
      tip = from - 1
      const stays = chain.get(tip)
      if (stays && stays.hash !== hash) throw new Error(`undo leaves ${hash}, not ${stays.hash}`)
    } else if (step === 'handover') {
      if (to !== tip || chain.get(to)?.hash !== hash) throw new Error(`hands over at ${to}, but history ends at ${tip}`)
      if (from !== Math.min(...chain.keys())) throw new Error(`hands over from ${from}, which is not the first block`)
      final = to
    } else {
      if (to < final) throw new Error(`final went back from ${final} to ${to}`)
      if (chain.get(to) && chain.get(to)?.hash !== hash) throw new Error(`final names another block ${to}`)
      final = to
    }
  }
  const blocks = [...chain.values()].sort((a, b) => a.number - b.number)
  return { blocks: blocks.map(({ parentHash: _, ...block }) => block), tip, final }
}

/** Hashes of the node's blocks `from..to`. */
export const hashesOf = async (anvil: Anvil, from: number, to: number) =>
  Promise.all(
    Array.from({ length: to - from + 1 }, async (_, index) => {
      const block = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', `0x${(from + index).toString(16)}`, false)
      return { number: from + index, hash: block.hash }
    }),
  )
