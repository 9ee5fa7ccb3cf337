/** Writes labels. A label is identified by network, address, label and detector; writing it again replaces it. */
import { createHash } from 'node:crypto'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Label } from './known.ts'

/** A label to store. Evidence may be any JSON value. */
export type Finding = Omit<Label, 'evidence' | 'network'> & {
  network: Network
  address: string
  evidence: unknown
  /** Revokes an earlier label. */
  revoked?: boolean
  /** Milliseconds since the epoch; also the version of the label. */
  foundAt: number
}

/** Stores labels in one insert. Repeating it has no effect. */
export const writeLabels = async (store: Store, findings: readonly Finding[]): Promise<void> => {
  if (findings.length === 0) return
  const rows = findings
    .map(({ foundAt, revoked, evidence, ...row }) =>
      JSON.stringify({
        ...row,
        evidence: JSON.stringify(evidence),
        revoked: revoked ? 1 : 0,
        found_at: Math.floor(foundAt / 1_000),
        version: foundAt,
      }),
    )
    .sort()
    .join('\n')
  const digest = createHash('sha256').update(rows).digest('hex').slice(0, 32)
  await store.insert('address_labels', `${rows}\n`, { token: `address_labels:${digest}` })
}
