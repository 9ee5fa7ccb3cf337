/** Worker thread of a role: starts the role, returns metrics, closes on request. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { loadConfig } from '../../platform/config/config.ts'
import { measureNode } from '../../platform/context/metrics.ts'
import { ROLES } from '../roles/role.ts'
import { startRole } from '../roles/start.ts'
import { createContext, explain } from './process.ts'
import type { FromThread } from './thread.ts'
import { traceProcess } from './tracing.ts'

const data = z.object({ role: z.enum(ROLES), settings: z.record(z.string(), z.string()) }).parse(workerData)
const toThread = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('metrics'), id: z.number() }),
  z.object({ kind: z.literal('close') }),
])

/** Niceness relative to the API thread, on which callers wait. */
const EXTRA_NICENESS = 10
/** Only on Linux, where priorities are per thread and inherited by new threads; elsewhere it would affect the whole process. */
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + EXTRA_NICENESS))

const config = loadConfig({ ...process.env, ...data.settings })
const context = createContext(config, data.role)
measureNode(context.metrics, { process: false })
await traceProcess(context, config, `assay-${data.role}`)
const tell = (message: FromThread) => parentPort?.postMessage(message)

// The thread does not exit: the exit of a thread that opened the store closes the connections of all others in the embedded engine.
const end = async (code: number) => {
  await context.lifecycle.close()
  tell({ kind: 'ended', code })
}

parentPort?.on('message', (raw: unknown) => {
  const message = toThread.parse(raw)
  if (message.kind === 'close') return void end(0)
  void context.metrics.snapshot().then((snapshot) => tell({ kind: 'metrics', id: message.id, snapshot }))
})

try {
  const { done } = await startRole(data.role, context, config)
  tell({ kind: 'started' })
  await done
  await end(0)
} catch (error) {
  if (!context.lifecycle.signal.aborted) await end(explain(error))
}
