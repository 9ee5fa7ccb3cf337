/** The local node: anvil from npm, on loopback, mining only when told to. */
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
      `There is no anvil for ${process.platform}-${process.arch} among the installed packages (${platform}), so no local chain was started. Run npm ci without --omit=dev or --omit=optional on a supported platform, or set <NETWORK>_RPC_URL.`,
      { cause },
    )
  }
}

/** A port of loopback nobody listens on: `wanted`, or any. @throws OperatorError ASSAY_DEMO_PORT_TAKEN */
export const reservePort = (wanted = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', (cause) =>
      reject(
        new OperatorError(
          'ASSAY_DEMO_PORT_TAKEN',
          `Port ${wanted} on 127.0.0.1 can not be used for the local chain: ${cause.message}. Nothing was started. Choose another port.`,
          { cause },
        ),
      ),
    )
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : wanted))
    })
  })

/** How anvil is started. Everything may be left out. */
export type AnvilOptions = {
  /** Any free port without it. */
  port?: number
  /** Come after host and port. */
  arguments?: readonly string[]
  /** Loaded when it exists. */
  stateFile?: string
  /** Runs in a process group of its own: Ctrl-C in the terminal does not reach it. */
  ownGroup?: boolean
  /** Ends it as long as it starts. One that has come up is its owner's to stop. */
  signal?: AbortSignal | undefined
}

/** A running node. It is killed when this process exits. */
export type Anvil = {
  url: string
  pid: number
  /** Settles when the process is gone. */
  exited: Promise<void>
  stop: () => Promise<void>
}

/** What is made of a node; one of which nothing could be made is ended. @throws what `make` throws */
export const orEnd = async <T>(anvil: Pick<Anvil, 'stop'>, make: () => Promise<T>): Promise<T> => {
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
 * @throws RetryableError ASSAY_DEMO_NODE_SILENT when it does not come up, and the signal's reason
 */
export const startAnvil = async (options: AnvilOptions = {}): Promise<Anvil> => {
  const { port = await reservePort(), arguments: given = [], stateFile, ownGroup = false, signal } = options
  signal?.throwIfAborted()
  const state = stateFile !== undefined && existsSync(stateFile) ? ['--load-state', stateFile] : []
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', String(port), '--quiet', ...given, ...state], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: ownGroup,
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-500)
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
    `The local chain did not come up on port ${port}: ${failure ? messageOf(failure) : complaint.trim() || 'no answer'}. It was stopped. Free the port or the memory it needs and start again.`,
  )
}
