/**
 * Readers of digital currency addresses in OFAC's lists, in both published formats: `sdn.xml` (and `consolidated.xml`), and
 * `sdn_advanced.xml` of the Advanced Sanctions Data Model. Sources: OFAC's schemas `XML.xsd` and `ADVANCED_XML.xsd`.
 */
import { EMPTY_ROW, type RawLabel } from '../read.ts'
import type { XmlReader } from './xml.ts'

/** Reader of a list with a publication date. */
export type DatedReader = XmlReader<RawLabel> & {
  /** Publication date as `YYYY-MM-DD`; `undefined` before it was read. */
  published: () => string | undefined
}

const IDENTIFIER = /^Digital Currency Address - (\w+)$/
const entryUrl = (id: string) => `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${id}`

/**
 * Network of an address. The coin that OFAC names identifies the network only if the coin has its own: USDT is on many, and
 * an EVM address belongs to the same key on all EVM networks.
 */
const networkOf = (coin: string, address: string): string => {
  if (/^0x/i.test(address)) return coin === 'BSC' ? coin : 'EVM'
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address) && ['USDT', 'USDC'].includes(coin)) return 'TRX'
  return coin
}

type Party = { id: string; name: string; programmes: string[]; listed: string }

const rowOf = (coin: string, address: string, party: Party, entry: number): RawLabel => ({
  ...EMPTY_ROW,
  line: 0,
  entry,
  address,
  network: networkOf(coin, address),
  name: party.name,
  source: /^\d+$/.test(party.id) ? entryUrl(party.id) : '',
  programme: party.programmes.join(', '),
  listed: party.listed,
})

const padded = (text: string) => text.padStart(2, '0')

/** Reads `sdn.xml`, in which each entry contains its party, programmes and identifiers. */
export const sdnReader = (): DatedReader => {
  let published: string | undefined
  const found: RawLabel[] = []
  let entry = 0
  let party = {
    uid: '',
    first: '',
    last: '',
    programmes: [] as string[],
    ids: [] as { coin: string; address: string }[],
  }
  let type = ''
  let number = ''
  const begin = () => {
    party = { uid: '', first: '', last: '', programmes: [], ids: [] }
  }
  const onClose: Record<string, (text: string) => void> = {
    'publshInformation/Publish_Date': (text) => {
      const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
      if (year !== '') published = `${year}-${padded(month)}-${padded(day)}`
    },
    'sdnEntry/uid': (text) => {
      party.uid = text
    },
    'sdnEntry/firstName': (text) => {
      party.first = text
    },
    'sdnEntry/lastName': (text) => {
      party.last = text
    },
    'sdnEntry/programList/program': (text) => {
      party.programmes.push(text)
    },
    'sdnEntry/idList/id/idType': (text) => {
      type = text
    },
    'sdnEntry/idList/id/idNumber': (text) => {
      number = text
    },
    'sdnEntry/idList/id': () => {
      const coin = IDENTIFIER.exec(type)?.[1]
      if (coin !== undefined) party.ids.push({ coin, address: number })
      type = ''
      number = ''
    },
    sdnEntry: () => {
      const name = [party.first, party.last].filter((part) => part !== '').join(' ')
      for (const { coin, address } of party.ids) {
        found.push(rowOf(coin, address, { ...party, id: party.uid, name, listed: '' }, ++entry))
      }
    },
  }
  return {
    root: 'sdnList',
    open: (path) => {
      if (path === 'sdnEntry') begin()
    },
    close: (path, text) => onClose[path]?.(text),
    take: () => found.splice(0),
    published: () => published,
  }
}

const FEATURE = 'DistinctParties/DistinctParty/Profile/Feature'
const ALIAS = 'DistinctParties/DistinctParty/Profile/Identity/Alias'
const LISTING = 'SanctionsEntries/SanctionsEntry'

/**
 * Reads `sdn_advanced.xml`. Feature types come first, then parties, then programmes and dates of entries, so rows are
 * complete only at the end of the document.
 */
export const sdnAdvancedReader = (): DatedReader => {
  let published: string | undefined
  const coins = new Map<string, string>()
  const parties = new Map<string, Party & { ids: { coin: string; address: string }[] }>()
  const found: RawLabel[] = []
  let kind = ''
  let profile = ''
  let names: string[] = []
  let primary = false
  let coin: string | undefined
  let ids: { coin: string; address: string }[] = []
  let name = ''
  let date = { Year: '', Month: '', Day: '' }
  let listing: Omit<Party, 'id' | 'name'> = { programmes: [], listed: '' }
  const emptyDate = () => {
    date = { Year: '', Month: '', Day: '' }
  }
  const dateText = () => (date.Year === '' ? '' : `${date.Year}-${padded(date.Month)}-${padded(date.Day)}`)
  const onOpen: Record<string, (attributes: Readonly<Record<string, string>>) => void> = {
    DateOfIssue: emptyDate,
    'ReferenceValueSets/FeatureTypeValues/FeatureType': ({ ID = '' }) => {
      kind = ID
    },
    'DistinctParties/DistinctParty/Profile': ({ ID = '' }) => {
      profile = ID
      name = ''
      ids = []
    },
    [ALIAS]: ({ Primary }) => {
      primary = Primary === 'true'
      names = []
    },
    [FEATURE]: ({ FeatureTypeID = '' }) => {
      coin = coins.get(FeatureTypeID)
    },
    [LISTING]: ({ ProfileID = '' }) => {
      profile = ProfileID
      listing = { programmes: [], listed: '' }
    },
    [`${LISTING}/EntryEvent/Date`]: emptyDate,
  }
  const onClose: Record<string, (text: string) => void> = {
    DateOfIssue: () => {
      published = dateText() || undefined
    },
    'ReferenceValueSets/FeatureTypeValues/FeatureType': (text) => {
      const found = IDENTIFIER.exec(text)?.[1]
      if (found !== undefined) coins.set(kind, found)
    },
    [`${ALIAS}/DocumentedName/DocumentedNamePart/NamePartValue`]: (text) => {
      names.push(text)
    },
    [ALIAS]: () => {
      if (primary && name === '') name = names.join(' ')
    },
    [`${FEATURE}/FeatureVersion/VersionDetail`]: (text) => {
      if (coin !== undefined && text !== '') ids.push({ coin, address: text })
    },
    'DistinctParties/DistinctParty/Profile': () => {
      if (ids.length > 0) parties.set(profile, { id: profile, name, programmes: [], listed: '', ids })
    },
    [`${LISTING}/EntryEvent/Date`]: () => {
      const text = dateText()
      if (listing.listed === '' || (text !== '' && text < listing.listed)) listing.listed = text
    },
    [`${LISTING}/SanctionsMeasure/Comment`]: (text) => {
      if (text !== '') listing.programmes.push(text)
    },
    [LISTING]: () => {
      const party = parties.get(profile)
      if (!party) return
      party.programmes.push(...listing.programmes.filter((programme) => !party.programmes.includes(programme)))
      if (party.listed === '' || (listing.listed !== '' && listing.listed < party.listed)) party.listed = listing.listed
    },
    '': () => {
      const all = [...parties.values()].flatMap((party) => party.ids.map((id) => ({ ...id, party })))
      for (const [index, { coin, address, party }] of all.entries()) found.push(rowOf(coin, address, party, index + 1))
    },
  }
  for (const part of ['Year', 'Month', 'Day'] as const) {
    for (const place of ['DateOfIssue', `${LISTING}/EntryEvent/Date`]) {
      onClose[`${place}/${part}`] = (text) => {
        date[part] = text
      }
    }
  }
  return {
    root: 'Sanctions',
    open: (path, attributes) => onOpen[path]?.(attributes),
    close: (path, text) => onClose[path]?.(text),
    take: () => found.splice(0),
    published: () => published,
  }
}
