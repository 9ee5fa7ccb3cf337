/** The inside of a role's thread: start the role, answer for metrics, close when asked. */
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

/** How much nicer than the thread of the API: callers wait there. */
const NICER = 10
/** On Linux a thread has a priority of its own, which those it starts inherit; elsewhere the whole process would get it. */
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + NICER))

const config = loadConfig({ ...process.env, ...data.settings })
const context = createContext(config, data.role)
measureNode(context.metrics, { process: false })
await traceProcess(context, config, `assay-${data.role}`)
const tell = (message: FromThread) => parentPort?.postMessage(message)

// The thread stays: when one that opened a store exits, the embedded engine closes the connections of all others too.
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
