/**
 * Cached answers of `npm start` while it indexes and scores: a local chain makes a block of transfers a second, from the
 * requested wallets to new ones. Compared with the same Fastify stack answering a constant buffer, with nothing beside it.
 * Any refused request ends the run.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ENTERPRISE_KEY } from '../contract/api/kit.ts'
import { startAnvil } from '../kit/chain/anvil.ts'
import { freePort } from '../kit/free-port.ts'
import { STARTED } from '../kit/processes/terminal.ts'
import { until } from '../kit/until.ts'
import { KEYED, load, loadConstant, type Measured, numberOf } from './api/load.ts'
import type { BenchResult } from './run.ts'

const ROOT = join(import.meta.dirname, '../..')
const PATIENCE_MS = 120_000
/** Transactions per POST to the chain. */
const PER_POST = 50

/** `sent` counts transactions of each account: nonces are set here, since calls of a POST run concurrently. */
type Chain = { url: string; accounts: readonly string[]; sent: number[] }

const sendTransfers = async ({ url, accounts, sent }: Chain, count: number, to: () => string): Promise<void> => {
  const nonceOf = (index: number) => {
    const nonce = sent[index] ?? 0
    sent[index] = nonce + 1
    return `0x${nonce.toString(16)}`
  }
  const calls = Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_sendTransaction',
    params: [
      {
        from: accounts[id % accounts.length],
        to: to(),
        nonce: nonceOf(id % accounts.length),
        value: '0x2386f26fc10000',
        gas: '0x5208',
      },
    ],
  }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls),
  })
  const answers = (await response.json()) as { error?: { message: string } }[]
  const failed = answers.find(({ error }) => error)
  if (failed) throw new Error(`The chain refused a transfer: ${failed.error?.message}`)
}

/** Sends about `perSecond` transfers a second to new wallets until stopped; stopping returns their number. */
const startTransfers = (chain: Chain, perSecond: number) => {
  const stopping = new AbortController()
  const run = async () => {
    let sent = 0
    const began = performance.now()
    while (!stopping.signal.aborted) {
      await sendTransfers(chain, PER_POST, () => `0x${randomBytes(20).toString('hex')}`)
      sent += PER_POST
      const early = (sent / perSecond) * 1_000 - (performance.now() - began)
      if (early > 0) await delay(early)
    }
    return sent
  }
  const running = run()
  // Stopping reports the error.
  running.catch(() => undefined)
  return () => {
    stopping.abort()
    return running
  }
}

const startProduct = async (rpcUrl: string) => {
  const data = mkdtempSync(join(tmpdir(), 'assay-bench-busy-'))
  const port = await freePort()
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'deploy/assay.js'), 'up'], {
    cwd: ROOT,
    env: {
      PATH,
      HOME,
      ASSAY_DATA: data,
      ASSAY_PORT: String(port),
      ASSAY_BOOTSTRAP_KEYS: `enterprise:${ENTERPRISE_KEY}`,
      ASSAY_RATE_LIMITS: 'enterprise:0/min',
      ETH_RPC_URL: rpcUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGINT')
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await ended
    clearTimeout(patience)
    rmSync(data, { recursive: true, force: true })
  }
  const hasStarted = () => {
    if (child.exitCode !== null) throw new Error(`npm start ended with code ${child.exitCode}: ${output}`)
    return output.includes(STARTED)
  }
  await until('the product has started', hasStarted, PATIENCE_MS).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url: `http://127.0.0.1:${port}`, stop }
}

const storedBlock = async (url: string): Promise<number> => {
  const { networks } = (await (await fetch(`${url}/status`)).json()) as { networks: { stored?: number }[] }
  return networks[0]?.stored ?? 0
}

/** Arguments: `--seconds=8 --connections=50 --rate=3000 --transfers=200` a second. Latencies are milliseconds. */
export const run = async (args: readonly string[] = []): Promise<BenchResult[]> => {
  const seconds = numberOf(args, 'seconds', 8)
  const connections = numberOf(args, 'connections', 50)
  const rate = numberOf(args, 'rate', 3_000)
  const perSecond = numberOf(args, 'transfers', 200)
  const ceiling = await loadConstant({ seconds, connections })
  const anvil = await startAnvil({ blockTime: 1, slotsInAnEpoch: 1 })
  const product = await startProduct(anvil.url).catch(async (error: unknown) => {
    await anvil.stop()
    throw error
  })
  const { url } = product
  try {
    const chain: Chain = { url: anvil.url, accounts: await anvil.rpc<string[]>('eth_accounts'), sent: [] }
    await sendTransfers(chain, chain.accounts.length * 2, () => chain.accounts[0] ?? '')
    const wallets = chain.accounts.map((walletAddress) => JSON.stringify({ network: 'ETH', walletAddress }))
    const bodies = Array.from({ length: connections }, () => wallets).flat()
    const isKnown = async (body: string) =>
      (await fetch(`${url}/fraud/check`, { method: 'POST', headers: KEYED, body })).status === 200
    await until(
      'every wallet is known',
      async () => (await Promise.all(wallets.map(isKnown))).every(Boolean),
      PATIENCE_MS,
    )
    await load({ url, bodies, seconds: 2, connections })
    const results: BenchResult[] = []
    const report = async (what: string, of: Partial<{ rate: number }>, isBusy: boolean) => {
      process.stderr.write(`${what}\n`)
      const before = await storedBlock(url)
      const stop = isBusy ? startTransfers(chain, perSecond) : async () => 0
      const measured: Measured = await load({ url, bodies, seconds, connections, ...of }).catch(
        async (error: unknown) => {
          await stop()
          throw error
        },
      )
      const transfers = await stop()
      const { perSecond: figure, ...latency } = measured
      results.push({
        what,
        figure,
        ceiling: ceiling.perSecond,
        ratio: Number((figure / ceiling.perSecond).toFixed(3)),
        unit: 'req/s',
        ...latency,
        blocks: (await storedBlock(url)) - before,
        transfers,
        load: Number((loadavg()[0] ?? 0).toFixed(1)),
      })
    }
    await report('cached, empty blocks beside it', {}, false)
    await report('cached, while it indexes and scores', {}, true)
    await report(`cached, while it indexes and scores, paced at ${rate} req/s`, { rate }, true)
    return results
  } finally {
    await product.stop()
    await anvil.stop()
  }
}
