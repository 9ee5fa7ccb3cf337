/** Runs a local node: anvil from npm, on loopback. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import { createRpc } from './rpc.ts'

const START_DEADLINE_MS = 30_000
const require = createRequire(import.meta.url)

/** The anvil binary that npm installed for this platform. @throws OperatorError ASSAY_DEMO_ANVIL_MISSING */
const anvilBinary = (): string => {
  const platform = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    // The binary is a dependency of the package, not of this one.
    const inPackage = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    const folder = join(dirname(inPackage.resolve(`${platform}/package.json`)), 'bin')
    return join(folder, process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_DEMO_ANVIL_MISSING',
      `No anvil package for ${process.platform}-${process.arch} is installed (${platform}), so no local chain was started. Run npm ci without --omit=dev or --omit=optional on a supported platform, or set <NETWORK>_RPC_URL.`,
      { cause },
    )
  }
}

/** A free port on loopback: `wanted`, or any. @throws OperatorError ASSAY_DEMO_PORT_TAKEN */
export const reservePort = (wanted = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', (cause) =>
      reject(
        new OperatorError(
          'ASSAY_DEMO_PORT_TAKEN',
          `Port ${wanted} on 127.0.0.1 is not available for the local chain: ${cause.message}. Nothing was started. Choose another port.`,
          { cause },
        ),
      ),
    )
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : wanted))
    })
  })

/** Options of the node. All are optional. */
export type AnvilOptions = {
  /** @default any free port */
  port?: number
  /** Further command line arguments, after host and port. */
  arguments?: readonly string[]
  /** State to load, if the file exists. */
  stateFile?: string
  /** Runs the node in its own process group, so that Ctrl-C in the terminal does not reach it. */
  ownProcessGroup?: boolean
  /** Aborting it ends the start. Once `startAnvil` has returned, the caller has to stop the node. */
  signal?: AbortSignal | undefined
}

/** A running node. */
export type Anvil = {
  url: string
  pid: number
  /** Resolves when the process has exited. */
  exited: Promise<void>
  stop: () => Promise<void>
}

/** Returns the result of `make`, and stops the node if it throws. */
export const stopOnError = async <T>(anvil: Pick<Anvil, 'stop'>, make: () => Promise<T>): Promise<T> => {
  try {
    return await make()
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/**
 * Starts anvil and waits until it answers.
 * @throws OperatorError ASSAY_DEMO_ANVIL_MISSING
 * @throws RetryableError ASSAY_DEMO_NODE_SILENT if it does not start in time, or the signal's reason
 */
export const startAnvil = async (options: AnvilOptions = {}): Promise<Anvil> => {
  const { port = await reservePort(), arguments: given = [], stateFile, ownProcessGroup = false, signal } = options
  signal?.throwIfAborted()
  const state = stateFile !== undefined && existsSync(stateFile) ? ['--load-state', stateFile] : []
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', String(port), '--quiet', ...given, ...state], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: ownProcessGroup,
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk}`.slice(-500)
  })
  let failure: unknown
  child.on('error', (error) => {
    failure = error
  })
  const exited = ended(child)
  const end = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', end, { once: true })
  const url = `http://127.0.0.1:${port}`
  const rpc = createRpc(url, 2_000)
  const deadline = Date.now() + START_DEADLINE_MS
  while (Date.now() < deadline && failure === undefined && child.exitCode === null && child.signalCode === null) {
    const answered = await rpc.call('eth_chainId').then(
      () => true,
      () => false,
    )
    signal?.throwIfAborted()
    if (answered && child.pid !== undefined && child.exitCode === null) {
      signal?.removeEventListener('abort', end)
      return {
        url,
        pid: child.pid,
        exited,
        stop: () => {
          end()
          return exited
        },
      }
    }
    await delay(20)
  }
  end()
  signal?.throwIfAborted()
  throw new RetryableError(
    'ASSAY_DEMO_NODE_SILENT',
    `The local chain did not start on port ${port}: ${failure ? messageOf(failure) : stderr.trim() || 'no answer'}. It was stopped. Free the port or some memory and start again.`,
  )
}
