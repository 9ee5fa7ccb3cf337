/** What benchmarks of the API share: wallets in a store, and load from a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../platform/store/store.ts'
import { bodyOf, ENTERPRISE_KEY } from '../contract/api/kit.ts'
import type { LoadJob, LoadResult } from './load.child.ts'

export type Measured = Omit<LoadResult, 'failures'>

const CHILD = new URL('load.child.ts', import.meta.url)
const PER_INSERT = 20_000

export const address = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`

export const bodyFor = (index: number, calculate = false): string =>
  JSON.stringify({ network: 'ETH', walletAddress: address(index), calculate })

export const bodiesOf = (from: number, count: number, calculate = false): string[] =>
  Array.from({ length: count }, (_, index) => bodyFor(from + index, calculate))

export const KEYED = { 'content-type': 'application/json', 'x-api-key': ENTERPRISE_KEY }

/** Fraud checks with a key, unless told otherwise. @throws when any request is answered with anything but 200. */
export const load = async (
  job: Omit<LoadJob, 'path' | 'headers'> & Partial<Pick<LoadJob, 'path' | 'headers'>>,
): Promise<Measured> => {
  const child = fork(fileURLToPath(CHILD), { execArgv: ['--import', 'tsx'] })
  child.send({ path: '/fraud/check', headers: KEYED, ...job } satisfies LoadJob)
  const [{ failures, ...result }] = (await once(child, 'message')) as [LoadResult]
  if (Object.keys(failures).length > 0) throw new Error(`Not answered with 200: ${JSON.stringify(failures)}`)
  return result
}

/** Stores a fraud record of every wallet from 0 on. */
export const fillRecords = async (store: Store, wallets: number): Promise<void> => {
  const body = bodyOf('fraud_check', 'ETH')
  const time = '2026-05-04 12:00:00'
  for (let from = 0; from < wallets; from += PER_INSERT) {
    const rows = Array.from({ length: Math.min(PER_INSERT, wallets - from) }, (_, index) =>
      JSON.stringify({
        network: 'ETH',
        address: address(from + index),
        version: 1,
        status: 'Not Fraud',
        probability: 0.04,
        body,
        reasons: '[]',
        unknowns: [],
        model_version: 'bench',
        data_height: 1,
        created_at: time,
        computed_at: time,
      }),
    )
    await store.insert('wallet_records', rows.join('\n'))
  }
}

export const numberOf = (args: readonly string[], name: string, otherwise: number): number => {
  const given = args.find((arg) => arg.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.split('=')[1])
}
