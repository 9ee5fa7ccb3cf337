/** `assay status`: progress of each network, what it waits for, and the time left. */
import { z } from 'zod'
import { OperatorError } from '../../../platform/errors.ts'
import { type ApiSettings, openApiClient, refusalOf } from '../../command-line/api.ts'
import { columns, dayOf, duration, grouped, plain } from '../../command-line/text.ts'

const network = z.looseObject({
  network: z.string(),
  ready: z.boolean(),
  state: z.string(),
  reasons: z.array(z.string()),
  phase: z.string().optional(),
  head: z.number().optional(),
  published: z.number().optional(),
  stored: z.number().optional(),
  settled: z.number().optional(),
  lagSeconds: z.number().optional(),
  indexedSince: z.object({ block: z.number(), time: z.string() }).optional(),
  catchingUp: z
    .looseObject({
      reason: z.string(),
      blocksPerSecond: z.number().optional(),
      secondsLeft: z.number().optional(),
    })
    .optional(),
  authorities: z
    .looseObject({ complete: z.number(), logs: z.number(), part: z.number(), leftSeconds: z.number() })
    .optional(),
  unproved: z.array(z.string()).optional(),
  parts: z.array(z.looseObject({ part: z.string(), state: z.string() })),
})
const answer = z.object({
  networks: z.array(network),
  payments: z.object({ lookedUp: z.boolean() }).optional(),
})
/** A network in the response of `/status`, with the fields that the command shows. */
export type ReportedNetwork = z.output<typeof network>

const height = (block: number | undefined): string => (block === undefined ? '-' : String(block))

const stateOf = ({ ready, catchingUp }: ReportedNetwork): string =>
  ready ? 'ready' : catchingUp ? 'catching up' : 'not ready'

/** Remaining work, with rate and time left where known. */
const remainingOf = ({ catchingUp, authorities, head, stored }: ReportedNetwork): string[] => {
  const logs =
    authorities && authorities.complete < authorities.logs
      ? [
          `logs of authorities: ${authorities.complete} of ${authorities.logs} (${Math.floor(authorities.part * 100)} %)${authorities.leftSeconds > 0 ? `, ${duration(authorities.leftSeconds * 1_000)} left` : ''}`,
        ]
      : []
  if (!catchingUp || head === undefined || stored === undefined || head <= stored) return logs
  const { blocksPerSecond: rate, secondsLeft: left } = catchingUp
  return [
    `blocks: ${grouped(head - stored)} behind${rate ? `, ${grouped(rate)} blocks/s` : ''}${left === undefined ? '' : `, ${duration(left * 1_000)} left`}`,
    ...logs,
  ]
}

/** A table of the networks, followed by what each waits for. */
export const statusLines = (networks: readonly ReportedNetwork[]): string[] => {
  const head = ['network', 'state', 'head', 'published', 'stored', 'settled', 'lag', 'indexed since']
  const rows = networks.map((one) => [
    one.network,
    stateOf(one),
    ...[one.head, one.published, one.stored, one.settled].map(height),
    one.lagSeconds === undefined ? '-' : duration(one.lagSeconds * 1_000),
    one.indexedSince ? `block ${one.indexedSince.block} (${dayOf(one.indexedSince.time)})` : '-',
  ])
  const notes = networks.flatMap((one) => [
    ...remainingOf(one).map((line) => `${one.network}  ${line}`),
    ...one.reasons.map((reason) => (reason.startsWith(one.network) ? reason : `${one.network}  ${reason}`)),
    ...(one.unproved ?? []).map((sentence) => `${one.network}  ${sentence}`),
  ])
  return [
    ...columns([head, ...rows.map((row) => row.map(plain))]),
    ...(notes.length > 0 ? ['', ...notes.map(plain)] : []),
  ]
}

const NOT_LOOKED_UP =
  'payments  settlements are not verified on chain; the facilitator is trusted. To verify them, set ASSAY_X402_RPC_URL.'

/** Returns the exit code: 0 if every network is ready, else 2. */
export const statusCommand = async (
  settings: ApiSettings,
  { json = false, ...given }: { url?: string; json?: boolean },
): Promise<number> => {
  const api = openApiClient(settings, given)
  const response = await api.get('/status')
  const parsed = answer.safeParse(response.body)
  if (!parsed.success) {
    throw new OperatorError(
      'ASSAY_TOOL_API_OTHER',
      `${api.url} is not an Assay API: ${refusalOf(response)} Set the URL of the API with --url.`,
    )
  }
  const { networks, payments } = parsed.data
  const lines = [...statusLines(networks), ...(payments?.lookedUp === false ? [NOT_LOOKED_UP] : [])]
  process.stdout.write(json ? `${JSON.stringify(parsed.data)}\n` : `${lines.join('\n')}\n`)
  return networks.every(({ ready }) => ready) ? 0 : 2
}
