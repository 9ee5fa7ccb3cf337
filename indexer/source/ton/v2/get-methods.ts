/** Get methods of contracts in version 2: `runGetMethod`. */
import { z } from 'zod'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { GetMethod, Got, StackEntry } from '../api.ts'
import { addressBag } from '../contracts/stack.ts'
import { askAll } from './wire.ts'

const result = z.looseObject({ exit_code: z.int(), stack: z.array(z.unknown()).default([]) })

const numberEntry = z.tuple([z.literal('num'), z.string()])
const cellEntry = z.tuple([z.string(), z.looseObject({ bytes: z.base64() })])

const argumentOf = ({ argument }: GetMethod): unknown[] => {
  if (!argument) return []
  if ('number' in argument) return [['num', argument.number]]
  return [['tvm.Slice', addressBag(argument.address)]]
}

const entryOf = (printed: unknown): StackEntry => {
  const number = numberEntry.safeParse(printed)
  if (number.success) return { number: number.data[1] }
  const cell = cellEntry.safeParse(printed)
  return cell.success ? { bag: cell.data[1].bytes } : undefined
}

/** @throws RpcAbsent, RpcError when the node could not run one of them. */
export const askContracts = async (node: Node, questions: readonly GetMethod[]): Promise<Got[]> => {
  const asked = questions.map((one) => ({
    method: 'runGetMethod',
    params: { address: one.address, method: one.method, stack: argumentOf(one) },
  }))
  const answers = await askAll(node, asked, result)
  return answers.map(({ exit_code: code, stack }) => ({
    stack: code === 0 || code === 1 ? stack.map(entryOf) : undefined,
  }))
}
