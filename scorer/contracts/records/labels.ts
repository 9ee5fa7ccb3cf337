/**
 * The `honeypot` labels set by analyses: set when a trap is proved, revoked when an account without code can sell.
 * Nothing else changes them, so an incomplete analysis leaves them as they are.
 */
import type { Clock } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { walletsConcerned } from '../../ledger/labels/list.ts'
import { type Finding, writeLabels } from '../../ledger/labels/write.ts'
import type { HoneypotProof } from '../verdict/honeypot.ts'

const LABEL_STATUS = readSql(import.meta.url, './sql/label-status.sql')

const LABEL = 'honeypot'
/** Detector name of the label. The `data_source` of the token's creator refers to it. */
export const DETECTOR = 'honeypot-simulation'
const VERSION = '1'
/** Same as `honeypot-history`: no honest token is known that passes. */
const CONFIDENCE = 0.95

/** What an analysis proved about a token, and at which block. */
export type TokenProof = { token: string; proof: HoneypotProof; height: number; hash: string }

/** Stores the labels set by analyses. */
export type TokenLabels = {
  /** Whether the token has a honeypot label in force. */
  hasHoneypotLabel: (network: Network, token: string) => Promise<boolean>
  /**
   * Updates labels to match the proofs; a proof that changes nothing writes nothing. Returns the wallets whose records
   * depend on these labels, also for unchanged labels: a previous run may have crashed before it requested their
   * scores.
   */
  save: (network: Network, proofs: readonly TokenProof[]) => Promise<string[]>
}

/** Reads the labels in force before writing, so that a repeated proof writes no new version. */
export const createTokenLabels = (store: Store, clock: Clock): TokenLabels => {
  const labelStatus = async (network: Network, addresses: readonly string[]) => {
    const rows = await store.query<{ address: string; revoked: 0 | 1; version: string }>(
      LABEL_STATUS,
      { network, addresses, label: LABEL, detector: DETECTOR },
      { route: 'contract_labels' },
    )
    return new Map(rows.map((row) => [row.address, { inForce: row.revoked === 0, version: Number(row.version) }]))
  }

  return {
    hasHoneypotLabel: async (network, token) => (await labelStatus(network, [token])).get(token)?.inForce === true,
    save: async (network, proofs) => {
      const conclusive = new Map(
        proofs.filter(({ proof }) => proof.verdict !== 'unproven').map((one) => [one.token, one] as const),
      )
      if (conclusive.size === 0) return []
      const before = await labelStatus(network, [...conclusive.keys()])
      const findings = [...conclusive.values()].flatMap(({ token, proof, height, hash }): Finding[] => {
        const known = before.get(token)
        const revoked = proof.verdict === 'sells'
        if ((known?.inForce === true) !== revoked) return []
        return [
          {
            network,
            address: token,
            label: LABEL,
            detector: DETECTOR,
            class: 'detected',
            confidence: CONFIDENCE,
            detector_version: VERSION,
            evidence: { ...(proof.verdict === 'trap' && proof.evidence), height, hash },
            tx_hash: '',
            block_number: height,
            revoked,
            foundAt: Math.max(clock.now(), (known?.version ?? 0) + 1),
          },
        ]
      })
      await writeLabels(store, findings)
      const labelled = [...conclusive.values()].filter(
        ({ token, proof }) => proof.verdict === 'trap' || before.has(token),
      )
      return walletsConcerned(
        store,
        network,
        labelled.map(({ token }) => token),
      )
    },
  }
}
