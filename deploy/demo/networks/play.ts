/**
 * `assay demo --networks`: a short story on a test node of each network, followed, scored and served by the roles as they are
 * configured, in this process and over a folder that is removed at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../../../platform/config/config.ts'
import type { Context } from '../../../platform/context/context.ts'
import { BugError } from '../../../platform/errors.ts'
import type { AddressFamily } from '../../../schema/networks/families.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createContext } from '../../process/process.ts'
import { startApi } from '../../roles/api.ts'
import { startRole } from '../../roles/start.ts'
import { type Asked, type Checked, checkEntry, mismatchLines } from '../check.ts'
import type { ScenarioEntry } from '../expectations.ts'
import { askPatiently } from '../patience.ts'
import { playEvm } from './evm.ts'
import { playSolana } from './solana.ts'
import type { NetworkStory, PlayStory } from './story.ts'
import { playTon } from './ton.ts'
import { playTron } from './tron.ts'

const KEY = 'enterprise-key-of-the-demonstration'
const DEADLINE_MS = 90_000
const POLL_MS = 300

const STORIES: Record<AddressFamily, PlayStory> = { evm: playEvm, solana: playSolana, tron: playTron, ton: playTon }

/** Plays the story of a network on a test node of its family. */
export const playStory: PlayStory = (network, signal) => STORIES[networkInfo(network).family](network, signal)

/** Plays the stories of networks side by side; one that fails ends all. */
const playStories = async ({ lifecycle }: Context, networks: readonly Network[]): Promise<NetworkStory[]> => {
  const starting = networks.map(async (network) => {
    const story = await playStory(network, lifecycle.signal)
    lifecycle.onClose(`node of ${network}`, story.stop)
    return story
  })
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

const configured = (stories: readonly NetworkStory[], folder: string): Config =>
  loadConfig({
    ASSAY_DATA: folder,
    ASSAY_PORT: '0',
    ASSAY_PLAIN_HTTP: 'true',
    ASSAY_LOG_LEVEL: process.env.ASSAY_LOG_LEVEL ?? 'error',
    ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}`,
    ...Object.fromEntries(
      stories.flatMap(({ network, url, from }) => [
        [`${network}_RPC_URL`, url],
        [`${network}_START_BLOCK`, String(from)],
      ]),
    ),
  })

/** Starts the roles beside each other, each with a context that closes with the one given. */
const startRoles = async (context: Context, config: Config) => {
  const open = (role: string) => {
    const own = createContext(config, role)
    context.lifecycle.onClose(role, async () => {
      await own.lifecycle.close()
    })
    return own
  }
  const api = await startApi(open('api'), config)
  const scorer = await startRole('scorer', open('scorer'), config)
  const indexer = await startRole('indexer', open('indexer'), config)
  const ended = Promise.race([api.done, scorer.done, indexer.done])
  ended.catch(() => undefined)
  return { api, url: api.urls[0] ?? '', ended }
}

type Running = Awaited<ReturnType<typeof startRoles>>

/** Waits until all blocks of a story are in the tables. @throws BugError ASSAY_DEMO_STEP_FAILED for one that stopped or is late */
const stored = async (
  { clock, lifecycle }: Context,
  { api }: Running,
  { network, to }: NetworkStory,
): Promise<void> => {
  const deadline = clock.now() + DEADLINE_MS
  for (;;) {
    const status = (await api.status()).find((one) => one.network === network)
    if ((status?.stored ?? -1) >= to) return
    const stopped = status?.parts.find(({ state }) => state === 'stopped')
    if (stopped || clock.now() > deadline) {
      const why = stopped ? `${stopped.part} stopped: ${stopped.error?.message}` : `it is at block ${status?.stored}`
      throw new BugError(
        'ASSAY_DEMO_STEP_FAILED',
        `The story of ${network} did not come to block ${to}: ${why}. The demonstration stopped. Report it.`,
      )
    }
    await clock.sleep(POLL_MS, lifecycle.signal)
  }
}

/** Asks until the answer is as expected, or time is up. */
const verdictOn = (context: Context, asked: Asked, entry: ScenarioEntry): Promise<Checked> =>
  askPatiently(context, POLL_MS, () => checkEntry(asked, entry))

/**
 * Plays the stories and prints a line for everybody in them. Returns what differs from what was expected.
 * @param say prints a line for the person at the terminal
 * @throws OperatorError ASSAY_DEMO_ANVIL_MISSING
 * @throws BugError ASSAY_DEMO_STEP_FAILED
 */
export const playNetworks = async (
  context: Context,
  networks: readonly Network[],
  say: (line?: string) => void,
): Promise<Checked['mismatches']> => {
  const { clock, lifecycle } = context
  const startedAt = clock.now()
  say(`Playing a short story on a test node of each network: ${networks.join(', ')}.`)
  const folder = mkdtempSync(join(tmpdir(), 'assay-demo-'))
  lifecycle.onClose('folder', () => rmSync(folder, { recursive: true, force: true }))
  const stories = await playStories(context, networks)
  lifecycle.signal.throwIfAborted()
  const running = await startRoles(context, configured(stories, folder))
  const asked = { apiUrl: running.url, key: KEY }
  const mismatches: Checked['mismatches'] = []
  const shown = async () => {
    for (const story of stories) {
      await stored(context, running, story)
      say(`\n${story.network}  ${story.to - story.from + 1} blocks`)
      for (const entry of story.entries) {
        const { status, flags, mismatches: found } = await verdictOn(context, asked, entry)
        const mark = found.length === 0 ? 'ok ' : 'NO '
        say(`  ${mark} ${entry.name.padEnd(9)} ${entry.address.padEnd(48)}  ${status.padEnd(10)}  ${flags.join(', ')}`)
        for (const line of mismatchLines(found)) say(line)
        mismatches.push(...found)
      }
    }
  }
  await Promise.race([shown(), running.ended.then(() => new Promise<never>(() => undefined))])
  const seconds = ((clock.now() - startedAt) / 1_000).toFixed(1)
  say(
    mismatches.length === 0
      ? `\nEverything is as expected, after ${seconds} s.`
      : `\n${mismatches.length} fields differ.`,
  )
  return mismatches
}
