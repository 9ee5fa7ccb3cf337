/** `assay audit`: verifies, exports and erases the audit log. */
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { eraseAudit, exportAudit } from '../../api/accounting/audit/export.ts'
import { type ChainReport, type Head, verifyAudit } from '../../api/accounting/audit/verify.ts'
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { createContext } from '../process/process.ts'
import { openToolStore } from '../process/store-socket.ts'

const savedHeads = z.array(z.object({ chain: z.string(), seq: z.number(), hash: z.string() }))

const withStore = async (config: Config, work: (store: Store) => Promise<void>): Promise<void> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'audit')
  try {
    await work(await openToolStore(context, config))
  } finally {
    await context.lifecycle.close()
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** @throws OperatorError ASSAY_AUDIT_HEADS */
const readHeads = (file: string | undefined): Head[] => {
  if (file === undefined) return []
  try {
    return savedHeads.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    throw new OperatorError(
      'ASSAY_AUDIT_HEADS',
      `${file} does not contain heads of the audit log. Nothing was verified. Name a file written by an earlier verification, or one that does not exist yet.`,
      { cause },
    )
  }
}

const saveHeads = (file: string, reports: readonly ChainReport[]) => {
  const heads = reports.map(({ chain, last, hash }) => ({ chain, seq: last, hash }))
  writeFileSync(`${file}.part`, `${JSON.stringify(heads, null, 1)}\n`)
  renameSync(`${file}.part`, file)
}

const time = (ms: number): string => new Date(ms).toISOString()

const lineOf = ({ chain, first, last, from, to, hash, lost, ended }: ChainReport): string => {
  const entries = first === 0 ? `all ${last} removed` : `${first} to ${last}  ${time(from)} to ${time(to)}`
  const notes = [
    ...(ended || first === 0 ? [] : ['not closed']),
    ...(lost > 0 ? [`${lost} answers without an entry`] : []),
  ]
  return [chain, entries, hash, ...notes].join('  ')
}

/** @throws OperatorError ASSAY_AUDIT_TAMPERED, ASSAY_AUDIT_HEADS */
export const verifyAuditCommand = (
  config: Config,
  { heads, json = false }: { heads?: string; json?: boolean },
): Promise<void> => {
  const known = readHeads(heads)
  return withStore(config, async (store) => {
    const reports = await verifyAudit(store, known)
    if (json) print(JSON.stringify(reports))
    for (const report of json ? [] : reports) {
      print(lineOf(report))
      for (const problem of report.problems) print(`  ${problem}`)
    }
    const broken = reports.filter(({ problems }) => problems.length > 0)
    if (broken.length > 0) {
      throw new OperatorError(
        'ASSAY_AUDIT_TAMPERED',
        `${broken.length} of ${reports.length} chains of the audit log failed verification. Nothing was changed. Compare the entries listed above with a backup.`,
      )
    }
    if (heads !== undefined) saveHeads(heads, reports)
    if (!json) print(reports.length === 0 ? 'The audit log is empty.' : `Verified chains: ${reports.length}.`)
  })
}

/** @throws OperatorError ASSAY_AUDIT_OPTION */
const timeOf = (option: string, text: string): number => {
  const ms = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text).success ? Date.parse(text) : -1
  if (ms >= 0) return ms
  throw new OperatorError(
    'ASSAY_AUDIT_OPTION',
    `${option} ${text} is not a time. Nothing was exported. Write a date or a time such as 2026-11-22T12:00:00Z.`,
  )
}

/** `assay audit export`: prints entries as JSON lines, chain by chain in order. @throws OperatorError ASSAY_AUDIT_OPTION */
export const exportAuditCommand = (
  config: Config,
  { from, to, key }: { from?: string; to?: string; key?: string },
): Promise<void> => {
  const selection = {
    ...(from !== undefined && { from: timeOf('--from', from) }),
    ...(to !== undefined && { to: timeOf('--to', to) }),
    ...(key !== undefined && { keys: key.split(',').map((id) => id.trim()) }),
  }
  return withStore(config, async (store) => {
    for await (const lines of exportAudit(store, selection)) {
      if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
    }
  })
}

/**
 * `assay audit erase`: destroys the keys that decrypt the addresses a customer asked about. The hash chain stays intact.
 */
export const eraseAuditCommand = (config: Config, key: string): Promise<void> =>
  withStore(config, async (store) => {
    const erased = await eraseAudit(store, key)
    print(
      erased === 0
        ? `The audit log has no readable entry of ${key}. Nothing was erased.`
        : `The addresses that ${key} asked about can no longer be read in the audit log. The log still verifies.`,
    )
  })
