/** Converts rows of label files to labels of Assay. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { parseAddress } from '../../../schema/address/index.ts'
import { type Network, parseLabelNetwork } from '../../../schema/networks.ts'
import type { ListedLabel } from '../../../scorer/ledger/labels/import/import.ts'
import { LABELS } from '../../../scorer/ledger/labels/vocabulary.ts'
import type { RawLabel } from './read.ts'
import { confidenceOf, type Meaning, meaningOf } from './words.ts'

/** How to interpret the rows of a list. */
export type Mapping = {
  /** Source of the labels, as named in `data_source`. */
  source: string
  file: string
  /** Network of rows without one. */
  network?: Network | undefined
  /** Label of every row, instead of those of its words. */
  label?: string | undefined
  /** Labels of words in the file. They take precedence over the built-in table. */
  map?: ReadonlyMap<string, string> | undefined
  /** Confidence of every row. Without it: that of the row, that of its word, 1 for authorities, 0.9 for lists. */
  confidence?: number | undefined
  class?: ListedLabel['class'] | undefined
}

/** Result for one row. Only `refused` stops the import. */
export type Interpreted =
  | { kind: 'labels'; labels: ListedLabel[] }
  /** The row contains no label to import. */
  | { kind: 'skipped'; why: string }
  /** The row is invalid, so the file may have another format. */
  | { kind: 'refused'; why: string }

const LIST_CONFIDENCE = 0.9

const skipped = (why: string): Interpreted => ({ kind: 'skipped', why })
const refused = (why: string): Interpreted => ({ kind: 'refused', why })

const isTrue = (text: string): boolean => ['1', 'true', 'yes'].includes(text.toLowerCase())

/** Words of a row without a label, for messages. */
const describeWords = (words: readonly string[]): string =>
  words.length > 0 ? words.slice(0, 3).join(', ') : 'no category'

const meaningsOf = (raw: RawLabel, { label, map }: Mapping): Meaning[] | Interpreted => {
  if (label !== undefined) return [{ label }]
  if (raw.label !== '')
    return LABELS.includes(raw.label) ? [{ label: raw.label }] : refused(`${raw.label} is not a label`)
  const mapped = raw.words.flatMap((word) => map?.get(word.toLowerCase()) ?? [])
  if (mapped.length > 0) return [...new Set(mapped)].map((name) => ({ label: name }))
  const { meanings, staleSanction } = meaningOf(raw.words, raw.source, raw.name)
  if (meanings.length > 0) return meanings
  if (staleSanction) return skipped('sanctions reported by tags: import a sanctions list with --label sanctioned')
  return skipped(`no label for: ${describeWords(raw.words)}`)
}

/** Interprets a row. */
export const interpret = (raw: RawLabel, mapping: Mapping): Interpreted => {
  const network = raw.network === '' ? mapping.network : parseLabelNetwork(raw.network)
  if (raw.address === '') {
    return raw.entry === undefined ? refused('the address is empty') : skipped('entries without an address')
  }
  if (raw.network === '' && !network) return refused('it has no network; set one with --network')
  if (!network) return skipped(`unsupported network: ${raw.network}`)
  const parsed = parseAddress(network, raw.address)
  if (!parsed.ok) return refused(`${raw.address} ${parsed.reason}`)
  const own = raw.confidence === '' ? undefined : confidenceOf(raw.confidence)
  if (raw.confidence !== '' && own === undefined) return refused(`${raw.confidence} is not a confidence`)
  const meanings = meaningsOf(raw, mapping)
  if (!Array.isArray(meanings)) return meanings
  // Only exports of Assay have a class.
  const ownClass = raw.label === '' ? '' : raw.class
  const evidence = {
    list: mapping.source,
    file: basename(mapping.file),
    ...(raw.name === '' ? {} : { name: raw.name.slice(0, 200) }),
    ...(raw.source === '' ? {} : { source: raw.source.slice(0, 500) }),
    ...(raw.programme === '' ? {} : { programme: raw.programme.slice(0, 200) }),
    ...(raw.listed === '' ? {} : { listed: raw.listed.slice(0, 40) }),
    ...(isTrue(raw.isContract) ? { contract: true } : {}),
  }
  return {
    kind: 'labels',
    labels: meanings.map(({ label, kind, confidence }) => {
      const asserted =
        (mapping.class ?? (label === 'sanctioned' || ownClass === 'asserted' ? 'asserted' : 'reported')) === 'asserted'
      return {
        network,
        address: parsed.canonical,
        label,
        class: asserted ? 'asserted' : 'reported',
        confidence: mapping.confidence ?? own ?? confidence ?? (asserted ? 1 : LIST_CONFIDENCE),
        evidence: kind === undefined ? evidence : { ...evidence, kind },
        revoked: raw.withdrawn,
      }
    }),
  }
}

const DATE = /[._-]?(20\d\d-?[01]\d-?[0-3]\d|v\d+(?:\.\d+)*)$/i

/** Name and version of a list from its file name: `ofac_current_2026-08-22.csv` is version 2026-08-22 of ofac_current. */
export const listOf = (file: string): { source: string; version: string | undefined } => {
  const stem = basename(file).replace(/\.[a-z0-9]+$/i, '')
  const version = DATE.exec(stem)
  const name = version ? stem.slice(0, version.index) : stem
  return { source: name.toLowerCase().replace(/[^a-z0-9._-]+/g, '-') || 'list', version: version?.[1] }
}

/** Version of a list without one: the hash of its content. */
export const digestOf = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex').slice(0, 12)
}
