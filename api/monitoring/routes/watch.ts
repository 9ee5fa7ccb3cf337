/** Routes of watch lists. Enterprise surface only. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parseAddress } from '../../../schema/address/index.ts'
import { type Network, networksOf, parseNetwork } from '../../../schema/networks.ts'
import type { ErrorDetail } from '../../../schema/records/error.ts'
import { WATCHED_NETWORKS, WATCHED_OPERATIONS, watchRequest } from '../../../schema/records/service/monitoring.ts'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import type { Caller } from '../../keys/caller.ts'
import { networkRefused, operationRefused } from '../../keys/restrictions.ts'
import { subjectKey, type WatchList, type WatchSubject } from '../watch/list.ts'
import { judgedOf } from '../watch/verdict.ts'
import type { Verdicts } from '../watch/verdicts.ts'
import { type AccountRequest, answerOf, createServe, parsed, type RouteOptions } from './serve.ts'

const BODY_LIMIT = 512 * 1024
const MAX_DETAILS = 20

const pageQuery = z.object({
  after: z
    .string()
    .max(200)
    .regex(/^[A-Z]+:.+$/, 'must be the `next` of a page')
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number from 1 to 1000')
    .transform(Number)
    .pipe(z.number().min(1, 'must be a number from 1 to 1000').max(1_000, 'must be a number from 1 to 1000'))
    .default(1_000),
})

/** Dependencies of the routes. */
export type WatchRoutesOptions = RouteOptions & {
  list: WatchList
  verdicts: Verdicts
  /** Addresses that an account may watch. */
  limit: number
}

const isWatchedNetwork = (network: string): network is Network =>
  (WATCHED_NETWORKS as readonly string[]).includes(network)

/** Whether a key may access any watched operation on the network. */
const mayWatch = (caller: Caller, network: Network): boolean =>
  !networkRefused(caller, network) &&
  WATCHED_OPERATIONS.some(
    (operation) => networksOf(operation).includes(network) && !operationRefused(caller, operation),
  )

/** Unique addresses in canonical form. Adds invalid ones to `details`. */
const subjectsOf = (
  field: string,
  given: readonly { network: string; walletAddress: string }[],
  details: ErrorDetail[],
): WatchSubject[] => {
  const found = new Map<string, WatchSubject>()
  for (const [index, { network: name, walletAddress }] of given.entries()) {
    const network = parseNetwork(name)
    if (!network || !isWatchedNetwork(network)) {
      const reason = `must be one of ${WATCHED_NETWORKS.join(', ')}`
      details.push({ field: `${field}.${index}.network`, reason })
      continue
    }
    const address = parseAddress(network, walletAddress)
    if (!address.ok) details.push({ field: `${field}.${index}.walletAddress`, reason: address.reason })
    else found.set(subjectKey({ network, address: address.canonical }), { network, address: address.canonical })
  }
  return [...found.values()]
}

/** Adds `/watch`. */
export const installWatch = (app: FastifyInstance, options: WatchRoutesOptions): void => {
  const { list, verdicts, limit } = options
  const { route, serve } = createServe(options)

  /** Stores the current verdicts of newly watched addresses: changes are reported relative to them. */
  const writeBaseline = async (subjects: readonly WatchSubject[]) => {
    const watchers = await list.watchersOf(subjects)
    const unwatched = subjects.filter((subject) => !watchers.has(subjectKey(subject)))
    const records = await verdicts.records(unwatched)
    await verdicts.write(records.map((record) => ({ ...record, judged: judgedOf(record) })))
  }

  const change = async ({ request, caller, account }: AccountRequest): Promise<Answer> => {
    const { value, refused } = parsed(watchRequest, request.body)
    if (refused) return refused
    const details: ErrorDetail[] = []
    const add = subjectsOf('add', value.add, details)
    const remove = subjectsOf('remove', value.remove, details)
    if (details.length > 0) {
      const shown = details.slice(0, MAX_DETAILS)
      return errorAnswer('INVALID_REQUEST', `${details.length} addresses are invalid. Nothing was changed.`, shown)
    }
    const foreign = add.find(({ network }) => !mayWatch(caller, network))
    if (foreign) {
      const { network } = foreign
      return (
        networkRefused(caller, network) ??
        operationRefused(caller, 'fraud_check') ??
        errorAnswer('OPERATION_NOT_ALLOWED', `The key may not watch addresses on ${network}.`)
      )
    }
    const removed = await list.present(account, remove)
    const present = new Set((await list.present(account, add)).map(subjectKey))
    const fresh = add.filter((subject) => !present.has(subjectKey(subject)))
    const before = await list.count(account)
    const watched = before - removed.length + fresh.length
    if (fresh.length > 0 && watched > limit) {
      return errorAnswer(
        'INVALID_REQUEST',
        `The limit of your watch list is ${limit} addresses, and it has ${before}. Nothing was changed.`,
        [
          {
            field: 'add',
            reason: `must not have more than ${Math.max(0, limit - before + removed.length)} new addresses`,
          },
        ],
      )
    }
    await list.write(account, removed, false)
    await writeBaseline(fresh)
    await list.write(account, fresh, true)
    return answerOf({ added: fresh.length, removed: removed.length, watched, limit })
  }

  app.post('/watch', { ...route, bodyLimit: BODY_LIMIT }, serve(change))
  app.get(
    '/watch',
    route,
    serve(async ({ request, account }) => {
      const { value, refused } = parsed(pageQuery, request.query)
      if (refused) return refused
      const [network = '', ...rest] = value.after?.split(':') ?? []
      const after = isWatchedNetwork(network) ? { network, address: rest.join(':') } : undefined
      const page = await list.page(account, after, value.limit)
      const last = page.length === value.limit ? page.at(-1) : undefined
      return answerOf({
        watched: await list.count(account),
        limit,
        addresses: page.map(({ network: of, address }) => ({ network: of, walletAddress: address })),
        next: last ? `${last.network}:${last.address}` : null,
      })
    }),
  )
  app.delete(
    '/watch',
    route,
    serve(async ({ account }) => {
      const removed = await list.count(account)
      await list.remove(account)
      return answerOf({ added: 0, removed, watched: 0, limit })
    }),
  )
}
