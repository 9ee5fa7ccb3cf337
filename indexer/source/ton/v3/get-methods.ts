/** Get methods of contracts in version 3. */
import { z } from 'zod'
import type { Node } from '../../../../platform/rpc/pool.ts'
import type { GetMethod, Got, StackEntry } from '../api.ts'
import { addressBag } from '../contracts/stack.ts'
import { askAll, RUN } from './wire.ts'

const result = z.looseObject({ exit_code: z.int(), stack: z.array(z.unknown()).nullish() })
const printed = z.looseObject({ type: z.string(), value: z.string() })

const argumentOf = ({ argument }: GetMethod): unknown[] => {
  if (!argument) return []
  return 'number' in argument
    ? [{ type: 'num', value: `0x${BigInt(argument.number).toString(16)}` }]
    : [{ type: 'slice', value: addressBag(argument.address) }]
}

const entryOf = (entry: unknown): StackEntry => {
  const { data } = printed.safeParse(entry)
  if (!data) return undefined
  return data.type === 'num' ? { number: data.value } : { bag: data.value }
}

/** @throws RpcAbsent, RpcError when the node could not run one of them. */
export const askContracts = async (node: Node, questions: readonly GetMethod[]): Promise<Got[]> => {
  const asked = questions.map((one) => ({
    method: RUN,
    params: { address: one.address, method: one.method, stack: argumentOf(one) },
  }))
  const answers = await askAll(node, asked, result)
  return answers.map(({ exit_code: code, stack }) => ({
    stack: code === 0 || code === 1 ? (stack ?? []).map(entryOf) : undefined,
  }))
}
