/**
 * Label lists that `assay labels update` knows by name. Each entry states what its licence allows; lists that may not be used
 * in a product are not included. `docs/labels.md` explains how to add your own.
 */

/** Formats of a document: OFAC's two XML formats, or any that `assay labels import` reads. */
export const LIST_FORMATS = ['sdn', 'sdn-advanced', 'list'] as const

/** A published list of labels: its location, format and licence. */
export type LabelList = {
  /** Name of the publisher, as in `data_source`. */
  name: string
  /** One-line description. */
  title: string
  licence: string
  /** Permitted use of the list. */
  use: string
  format: (typeof LIST_FORMATS)[number]
  /** Where it is published. `network`, in any notation of label files, is for documents whose rows name none. */
  documents: readonly { url: string; network?: string | undefined }[]
  /** Hosts that the list's host may redirect to. */
  hosts?: readonly string[] | undefined
  /** Label of every row, if the rows do not state one. */
  label?: string | undefined
  /** The only labels taken from the list: a list of accused addresses vouches for nobody, and a directory accuses nobody. */
  labels: readonly string[]
  /** `asserted` for an authority's list. */
  class: 'asserted' | 'reported'
  /** Confidence of every row, 0 to 1; by default as `assay labels import` decides. */
  confidence?: number | undefined
  addressColumn?: string | undefined
  /** Whether the list is complete, so that an address that disappears was taken off. */
  complete: boolean
  /** Hours without an answer of the source until an alert. */
  maxAgeHours: number
  /** Maximum size of one document, uncompressed. */
  maxBytes: number
}

const MEGABYTE = 1_000_000
const WEEK = 7 * 24

const EXTRACTS = 'https://raw.githubusercontent.com/0xB10C/ofac-sanctioned-digital-currency-addresses/lists'
const FORTA = 'https://raw.githubusercontent.com/forta-network/labelled-datasets/main/labels/1'
const ETHERSCAN = 'https://raw.githubusercontent.com/brianleect/etherscan-labels/main/data'

/** Sources: the publishers' own pages; licences as stated in their repositories. */
export const LABEL_LISTS: readonly LabelList[] = [
  {
    name: 'ofac',
    title: 'Specially Designated Nationals of the US Treasury, with digital currency addresses',
    licence: 'public domain (17 U.S.C. 105)',
    use: 'any',
    format: 'sdn',
    documents: [{ url: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN.XML' }],
    hosts: ['wc2h-sls-prod-public-published.s3.us-gov-west-1.amazonaws.com'],
    label: 'sanctioned',
    labels: ['sanctioned'],
    class: 'asserted',
    complete: true,
    maxAgeHours: WEEK,
    maxBytes: 200 * MEGABYTE,
  },
  {
    name: 'ofac-extract',
    title: 'Digital currency addresses copied from OFAC’s list every night, a file per coin, without names',
    licence: 'MIT, of public-domain data',
    use: 'any; where OFAC itself cannot be reached',
    format: 'list',
    documents: [
      { url: `${EXTRACTS}/sanctioned_addresses_ETH.txt`, network: 'evm' },
      { url: `${EXTRACTS}/sanctioned_addresses_BSC.txt`, network: 'bsc' },
      { url: `${EXTRACTS}/sanctioned_addresses_TRX.txt`, network: 'trx' },
      { url: `${EXTRACTS}/sanctioned_addresses_SOL.txt`, network: 'sol' },
    ],
    label: 'sanctioned',
    labels: ['sanctioned'],
    class: 'reported',
    confidence: 0.95,
    complete: true,
    maxAgeHours: WEEK,
    maxBytes: 10 * MEGABYTE,
  },
  {
    name: 'scamsniffer',
    title: 'Addresses of drainers and phishing, mostly on Ethereum; not extended since February 2024',
    licence: 'GPL-3.0',
    use: 'fetched as data by the operator of Assay; never distributed with it',
    format: 'list',
    documents: [
      {
        url: 'https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json',
        network: 'evm',
      },
    ],
    label: 'phishing',
    labels: ['phishing'],
    class: 'reported',
    confidence: 0.9,
    complete: true,
    maxAgeHours: 4 * WEEK,
    maxBytes: 50 * MEGABYTE,
  },
  {
    name: 'forta-datasets',
    title: 'Phishing, exploit and heist addresses of Ethereum, collected until January 2023',
    licence: 'MIT',
    use: 'any',
    format: 'list',
    documents: [
      { url: `${FORTA}/etherscan_malicious_labels.csv`, network: 'evm' },
      { url: `${FORTA}/phishing_scams.csv`, network: 'evm' },
    ],
    labels: ['phishing', 'theft', 'exploiter'],
    class: 'reported',
    complete: false,
    maxAgeHours: 4 * WEEK,
    maxBytes: 50 * MEGABYTE,
  },
  {
    name: 'etherscan-labels',
    title: 'Directory of exchanges, bridges, DEXs, MEV bots and other services, as explorers named them in 2023',
    licence: 'MIT; the names come from explorers, whose terms may apply to you',
    use: 'protects services; ask your lawyer about the explorers’ terms',
    format: 'list',
    documents: [
      { url: `${ETHERSCAN}/etherscan/combined/combinedAllLabels.json`, network: 'evm' },
      { url: `${ETHERSCAN}/bscscan/combined/combinedAllLabels.json`, network: 'bsc' },
      { url: `${ETHERSCAN}/polygonscan/combined/combinedAllLabels.json`, network: 'matic' },
    ],
    labels: ['service'],
    class: 'reported',
    complete: false,
    maxAgeHours: 4 * WEEK,
    maxBytes: 100 * MEGABYTE,
  },
]
