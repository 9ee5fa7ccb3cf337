/** Combines a thread's block with the answers of further requests into one packed block. */
import type { Network } from '../../../../schema/networks.ts'
import { type PackedBlock, packLines, sectionsOf } from '../../../../schema/packed.ts'
import { codeIdentity } from '../decode/code-hash.ts'
import { tokenRow } from '../decode/tokens.ts'
import type { TokenMetadata } from '../raw.ts'
import type { ReadBlock } from './read.ts'

/**
 * Packs a block.
 * @param codes runtime code of created contracts by address, for a block without traces.
 * @param names metadata of the block's tokens.
 */
export const packRead = (
  network: Network,
  { number, hash, parentHash, time, traces, touched, creations, shown, ...lines }: ReadBlock,
  codes: ReadonlyMap<string, string>,
  names: readonly TokenMetadata[],
): PackedBlock => {
  const places = new Map(shown.map((one) => [one.token, one]))
  const tokens = names.flatMap((metadata) => {
    const place = places.get(metadata.token)
    if (!place) return []
    const { position, tx_hash } = place
    return [tokenRow({ network, number, time }, { position, tx_hash }, metadata)]
  })
  const known = creations.map((row) => {
    const code = codes.get(row.contract)
    if (code === undefined) return row
    const { hash: code_hash, size: code_size } = codeIdentity(code)
    return { ...row, code_hash, code_size }
  })
  const asked = sectionsOf(packLines({ tokens, creations: known }))
  const addresses = touched === '' ? [] : touched.split(' ')
  return {
    network,
    number,
    hash,
    parentHash,
    time,
    traces,
    touched: addresses,
    rows: { ...sectionsOf(lines), ...asked },
  }
}
