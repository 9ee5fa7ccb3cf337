/**
 * Labels that analyses give to tokens: `honeypot` where a trap is proved, taken back where a person can sell. Nothing else
 * changes them, so that an analysis that could not see everything leaves them as they are.
 */
import type { Clock } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { walletsConcerned } from '../../ledger/labels/list.ts'
import { type Finding, writeLabels } from '../../ledger/labels/write.ts'
import type { HoneypotProof } from '../verdict/honeypot.ts'

const ACCUSED = readSql(import.meta.url, './sql/accused.sql')

const LABEL = 'honeypot'
/** Who says so; `data_source` of whoever made the token names it. */
export const DETECTOR = 'honeypot-simulation'
const VERSION = '1'
/** As that of `honeypot-history`: nothing honest is known that passes. */
const CONFIDENCE = 0.95

/** What an analysis proved of a token, at which block. */
export type TokenProof = { token: string; proof: HoneypotProof; height: number; hash: string }

/** Labels of tokens by analyses. */
export type TokenLabels = {
  /** Whether the token's label is in force. */
  accused: (network: Network, token: string) => Promise<boolean>
  /**
   * Brings labels in line with what was proved; saying the same again changes nothing. Returns wallets whose records rest
   * on these labels, also of words already said: whoever asks for their scores may have been stopped before.
   */
  save: (network: Network, proofs: readonly TokenProof[]) => Promise<string[]>
}

/** Reads what is in force before it writes, so that a proof that changes nothing writes no new version. */
export const createTokenLabels = (store: Store, clock: Clock): TokenLabels => {
  const said = async (network: Network, addresses: readonly string[]) => {
    const rows = await store.query<{ address: string; revoked: 0 | 1; version: string }>(
      ACCUSED,
      { network, addresses, label: LABEL, detector: DETECTOR },
      { route: 'contract_labels' },
    )
    return new Map(rows.map((row) => [row.address, { inForce: row.revoked === 0, version: Number(row.version) }]))
  }

  return {
    accused: async (network, token) => (await said(network, [token])).get(token)?.inForce === true,
    save: async (network, proofs) => {
      const telling = new Map(
        proofs.filter(({ proof }) => proof.verdict !== 'unproven').map((one) => [one.token, one] as const),
      )
      if (telling.size === 0) return []
      const before = await said(network, [...telling.keys()])
      const findings = [...telling.values()].flatMap(({ token, proof, height, hash }): Finding[] => {
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
      const spoken = [...telling.values()].filter(({ token, proof }) => proof.verdict === 'trap' || before.has(token))
      return walletsConcerned(
        store,
        network,
        spoken.map(({ token }) => token),
      )
    },
  }
}
