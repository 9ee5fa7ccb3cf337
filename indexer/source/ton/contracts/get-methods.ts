/** Questions to contracts ("get methods"), as nodes put and answer them (toncenter's API, version 2: `runGetMethod`). */
import { z } from 'zod'
import type { Node } from '../../../../platform/rpc/pool.ts'
import { readBag, writeBag } from '../cell/boc.ts'
import { type Cell, makeCell } from '../cell/cell.ts'
import { sliceOf } from '../cell/slice.ts'
import { askAll } from '../wire.ts'

/** What is asked of a contract: a method with the one argument it may take. */
export type GetMethod = { address: string; method: string; argument?: { address: string } | { number: string } }

/** What came back. `stack` is `undefined` where the contract has no such method or refused. */
export type Got = { stack: readonly unknown[] | undefined }

const result = z.looseObject({ exit_code: z.int(), stack: z.array(z.unknown()).default([]) })

const numberEntry = z.tuple([z.literal('num'), z.string().regex(/^-?0x[0-9a-fA-F]{1,64}$|^-?\d{1,78}$/)])
const cellEntry = z.tuple([z.string(), z.looseObject({ bytes: z.base64() })])

const ADDRESS_BITS = 267

/** An address as a cell: its tag, no anycast, workchain, account. */
const cellOfAddress = (address: string): Cell => {
  const [workchain = '0', account = ''] = address.split(':')
  const tag = 0b100n
  const bits = (((tag << 8n) | BigInt.asUintN(8, BigInt(workchain))) << 256n) | BigInt(`0x${account}`)
  const bytes = Buffer.from((bits << BigInt(272 - ADDRESS_BITS)).toString(16).padStart(68, '0'), 'hex')
  return makeCell(bytes, ADDRESS_BITS, [])
}

const argumentOf = ({ argument }: GetMethod): unknown[] => {
  if (!argument) return []
  if ('number' in argument) return [['num', argument.number]]
  return [['tvm.Slice', writeBag(cellOfAddress(argument.address)).toString('base64')]]
}

/** @throws RpcAbsent, RpcError when the node could not run one of them. */
export const askContracts = async (node: Node, questions: readonly GetMethod[]): Promise<Got[]> => {
  const asked = questions.map((one) => ({
    method: 'runGetMethod',
    params: { address: one.address, method: one.method, stack: argumentOf(one) },
  }))
  const answers = await askAll(node, asked, result)
  return answers.map(({ exit_code: code, stack }) => ({ stack: code === 0 || code === 1 ? stack : undefined }))
}

/** A whole number of the stack, `undefined` when there is none at the place. */
export const numberAt = ({ stack }: Got, index: number): bigint | undefined => {
  const entry = numberEntry.safeParse(stack?.[index])
  if (!entry.success) return undefined
  const [, text] = entry.data
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
}

/** A cell or slice of the stack, `undefined` when there is none at the place. */
export const cellAt = ({ stack }: Got, index: number): Cell | undefined => {
  const entry = cellEntry.safeParse(stack?.[index])
  try {
    return entry.success ? readBag(Buffer.from(entry.data[1].bytes, 'base64')) : undefined
  } catch {
    return undefined
  }
}

/** An address of the stack: empty for none, `undefined` when there is something else at the place. */
export const addressAt = (got: Got, index: number): string | undefined => {
  const cell = cellAt(got, index)
  try {
    return cell && sliceOf(cell).address()
  } catch {
    return undefined
  }
}
