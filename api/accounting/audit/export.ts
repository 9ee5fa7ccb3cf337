/** Exports the audit log as NDJSON, and erases addresses from it. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type AuditRow, unseal } from './entry.ts'
import { chainsOf, entriesOf, type Selection } from './read.ts'

const SECRETS = readSql(import.meta.url, './sql/secrets.sql')
const COUNT = readSql(import.meta.url, './sql/count-secrets.sql')
const ERASE = readSql(import.meta.url, './sql/erase-secrets.sql')
const PIECE = 1_000

const secretRow = z.object({ id: z.string(), secret: z.string() })
const countRow = z.object({ secrets: z.coerce.number() })

const lineOf = ({ at, ...row }: AuditRow, secret: Buffer | undefined): string => {
  const part = secret && unseal(secret, row.seq, row.sealed)
  const { address = null, version = null, body = null } = part ?? {}
  const { chain, seq, kind, key, operation, network, status, lost, hash } = row
  return `${JSON.stringify({
    time: new Date(at).toISOString(),
    kind,
    key,
    operation,
    network,
    address,
    status,
    recordVersion: version === 0 ? null : version,
    bodySha256: body,
    erased: kind !== 'end' && secret === undefined,
    chain,
    seq,
    lost,
    secret: row.secret,
    sealed: row.sealed,
    hash,
  })}\n`
}

/** Lines of the selected entries, chain by chain. Address, version and body are null if erased. */
export async function* exportAudit(store: Store, selection: Selection): AsyncGenerator<string> {
  const linesOf = async (rows: readonly AuditRow[]): Promise<string> => {
    const ids = [...new Set(rows.map(({ secret }) => secret))]
    const secrets = new Map(
      z
        .array(secretRow)
        .parse(await store.query(SECRETS, { ids }, { route: 'audit_secrets' }))
        .map(({ id, secret }) => [id, Buffer.from(secret, 'base64')]),
    )
    return rows.map((row) => lineOf(row, secrets.get(row.secret))).join('')
  }
  for (const { chain, after } of await chainsOf(store)) {
    let rows: AuditRow[] = []
    for await (const row of entriesOf(store, chain, after || -1, selection)) {
      if (rows.push(row) < PIECE) continue
      yield await linesOf(rows)
      rows = []
    }
    if (rows.length > 0) yield await linesOf(rows)
  }
}

/** Erases the secrets of a key, so that the addresses of its entries cannot be decrypted. Returns the number of secrets. */
export const eraseAudit = async (store: Store, key: string): Promise<number> => {
  const [row] = z.array(countRow).parse(await store.query(COUNT, { key }, { route: 'audit_secrets' }))
  const secrets = row?.secrets ?? 0
  if (secrets > 0) await store.command(ERASE, { key })
  return secrets
}
