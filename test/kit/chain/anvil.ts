/** A local Ethereum node: anvil, from the binary its npm package ships for this platform. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'

export type AnvilOptions = {
  chainId?: number
  /** Blocks between latest and safe; finalized is twice as far (anvil's own rule). */
  slotsInAnEpoch?: number
  /** Seconds between blocks; without it blocks are mined on request and for each transaction. */
  blockTime?: number
  args?: readonly string[]
}

export type Anvil = {
  url: string
  wsUrl: string
  chainId: number
  /** @throws Error with the node's message. */
  rpc: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  mine: (blocks: number) => Promise<void>
  /** Replaces the last `depth` blocks by new ones of the same height. */
  reorg: (depth: number) => Promise<void>
  /** Sends value between two of the unlocked accounts and waits until it is in a block. */
  transfer: (value?: bigint) => Promise<string>
  blockNumber: () => Promise<number>
  stop: () => Promise<void>
}

const READY_MS = 20_000
const POLL_MS = 20

const PLATFORMS: Record<string, string> = {
  x64: 'amd64',
  arm64: 'arm64',
  linux: 'linux',
  darwin: 'darwin',
  win32: 'win32',
}

const binary = (): string => {
  const wrapper = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  const name = `@foundry-rs/anvil-${PLATFORMS[process.platform]}-${PLATFORMS[process.arch]}`
  return join(
    dirname(wrapper.resolve(`${name}/package.json`)),
    'bin',
    process.platform === 'win32' ? 'anvil.exe' : 'anvil',
  )
}

/** A port nobody listens on now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Waits until `check` gives something other than undefined or false. @throws Error naming `what` after the deadline. */
export const until = async <T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 30_000,
): Promise<T> => {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await check()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

export const startAnvil = async ({
  chainId = 1,
  slotsInAnEpoch,
  blockTime,
  args = [],
}: AnvilOptions = {}): Promise<Anvil> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    binary(),
    [
      ...['--port', String(port), '--chain-id', String(chainId), '--silent'],
      ...(slotsInAnEpoch === undefined ? [] : ['--slots-in-an-epoch', String(slotsInAnEpoch)]),
      ...(blockTime === undefined ? [] : ['--block-time', String(blockTime)]),
      ...args,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += String(text)
  })
  const stop = async () => {
    if (hasEnded(child)) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  let id = 0
  const rpc: Anvil['rpc'] = async <T>(method: string, ...params: unknown[]) => {
    id += 1
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    })
    const answer = (await response.json()) as { result?: T; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as T
  }

  await until(
    'anvil answers',
    async () => {
      if (hasEnded(child)) throw new Error(`anvil ended: ${complaints}`)
      return rpc<string>('eth_chainId').catch(() => undefined)
    },
    READY_MS,
  ).catch(async (error) => {
    await stop()
    throw error
  })
  const accounts = await rpc<string[]>('eth_accounts')

  return {
    url,
    wsUrl: url.replace('http', 'ws'),
    chainId,
    rpc,
    stop,
    mine: async (blocks) => {
      await rpc('anvil_mine', `0x${blocks.toString(16)}`)
    },
    reorg: async (depth) => {
      await rpc('anvil_reorg', depth, [])
    },
    transfer: async (value = 1n) => {
      const transaction = { from: accounts[0], to: accounts[1], value: `0x${value.toString(16)}` }
      const hash = await rpc<string>('eth_sendTransaction', transaction)
      await until('the transfer is mined', async () => (await rpc('eth_getTransactionReceipt', hash)) !== null)
      return hash
    },
    blockNumber: async () => Number(await rpc<string>('eth_blockNumber')),
  }
}
