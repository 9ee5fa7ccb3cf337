/** The demonstration of `npm start`: a local chain, the scenario on it, a payment chain, and the verdicts. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Context } from '../../platform/context/context.ts'
import { checkScenario, type Mismatch } from './check.ts'
import { replacePaymentChain, startDevnet } from './node/devnet.ts'
import { deleteProcess } from './node/state.ts'
import { startPaymentChain } from './payments/chain.ts'
import { playScenario, type ScenarioResult } from './play.ts'
import { pollUntilExpected, refusalIn } from './polling.ts'

const BLOCK_TIME_MS = 2_000
/** Block time of Ethereum, used once the scenario is final, to save CPU. */
const QUIET_BLOCK_TIME_MS = 12_000
const VERDICTS_POLL_MS = 500
const GAS_WEI = 10n ** 20n

/** A running demonstration. It ends with the lifecycle of its context. */
export type Demonstration = {
  /** Settings that point the roles at the local chains. */
  settings: Record<string, string>
  /** Resolves when the scenario has been played, by this or an earlier start. */
  played: Promise<ScenarioResult>
  /** Waits until the verdicts are as expected or time is up, prints them and returns the fields that differ. */
  showVerdicts: (url: string, key: string) => Promise<Mismatch[]>
  /** Rejects if the local chain exits. */
  done: Promise<void>
}

/** Starts the chains and plays the scenario. `say` prints a line to the terminal. */
export const startDemonstration = async (
  { log, lifecycle, clock }: Context,
  dataDir: string,
  say: (line?: string) => void,
): Promise<Demonstration> => {
  say('No RPC endpoint is set. Starting a local chain for the demonstration.')
  const { signal } = lifecycle
  /** New transactions make wallets score again, so none are sent before the verdicts are shown. */
  let verdictsShown = false
  const failed = new AbortController()
  const starting = [
    startDevnet({
      ...{ dataDir, log, signal, blockTimeMs: BLOCK_TIME_MS, quietBlockTimeMs: QUIET_BLOCK_TIME_MS },
      mayTransact: () => verdictsShown,
    }),
    startPaymentChain({ signal: AbortSignal.any([signal, failed.signal]) }),
  ] as const
  const [devnet, payments] = await Promise.all(starting).catch(async (error) => {
    failed.abort()
    for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value.stop()
    throw error
  })
  const endPayments = async () => {
    await payments.stop()
    deleteProcess(dataDir, 'payments')
  }
  lifecycle.onClose('devnet', () => devnet.stop())
  lifecycle.onClose('payment chain', endPayments)
  if (signal.aborted) await Promise.all([devnet.stop(), endPayments()])
  signal.throwIfAborted()
  await replacePaymentChain(dataDir, { pid: payments.pid, url: payments.rpcUrl, stop: payments.stop })
  const operator = generatePrivateKey()
  await payments.fund(privateKeyToAccount(operator).address, GAS_WEI)

  let shown = 0
  const onProgress = ({
    blocks,
    ofBlocks,
    transactions,
  }: {
    blocks: number
    ofBlocks: number
    transactions: number
  }) => {
    const tenth = Math.floor((blocks / ofBlocks) * 4)
    if (tenth === shown) return
    shown = tenth
    say(`  ${Math.round((blocks / ofBlocks) * 100)} % of the scenario played, ${transactions} transactions`)
  }
  const played = playScenario({ rpcUrl: devnet.rpcUrl, dataDir, log, onProgress }).then((result) => {
    say(
      result.played
        ? `Played the scenario: ${result.blocks} blocks, ${result.transactions} transactions.`
        : 'Resuming the chain of an earlier start.',
    )
    devnet.produce()
    return result
  })

  return {
    settings: {
      ETH_RPC_URL: `${devnet.rpcUrl},${devnet.rpcUrl.replace(/^http/, 'ws')}`,
      ETH_START_BLOCK: '0',
      ASSAY_X402_RECEIVER: privateKeyToAccount(generatePrivateKey()).address,
      ASSAY_X402_FACILITATOR_KEY: operator,
      ASSAY_X402_RPC_URL: payments.rpcUrl,
    },
    played,
    done: devnet.done,
    showVerdicts: async (apiUrl, key) => {
      const { scenarioFile } = await played
      say('Waiting for verdicts ...')
      let refusal: string | undefined
      const { lines, mismatches } = await pollUntilExpected({ clock, lifecycle }, VERDICTS_POLL_MS, async () => {
        const lines: string[] = []
        const mismatches = await checkScenario({
          ...{ scenarioFile, apiUrl, key, stopAtRefusal: true },
          print: (line) => lines.push(line),
        })
        const now = refusalIn(mismatches)
        if (now !== undefined && now !== refusal) say(`  ${now} ...`)
        refusal = now ?? refusal
        return { lines, mismatches }
      })
      say()
      for (const line of lines) say(line)
      verdictsShown = true
      return mismatches
    },
  }
}
