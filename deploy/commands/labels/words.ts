/**
 * Maps words of label files to labels of Assay. Sources: Etherscan's label cloud, GraphSense's taxonomy of categories and
 * abuses, Forta's label sets. Neutral words (airdrop-hunter, meme, contract-deployer) are not mapped; their rows are skipped
 * and counted.
 */
import { LABELS } from '../../../scorer/ledger/labels/vocabulary.ts'

/** A label. `kind` is the kind of a service; `confidence` applies to rows without one. */
export type Meaning = { label: string; kind?: string; confidence?: number }

const all = (meaning: Meaning, words: string): [string, Meaning][] => words.split(/\s+/).map((word) => [word, meaning])
const service = (kind: string, words: string) => all({ label: 'service', kind }, words)

const WORDS = new Map<string, Meaning>([
  ...LABELS.map((label): [string, Meaning] => [label, { label }]),
  ...all({ label: 'phishing' }, 'phish phish-hack phishing-hack fake-phishing etherscan-phish-hack-list scam-phishing'),
  ...all({ label: 'theft' }, 'heist hack hacker service_hack stolen etherscan-heist-list thief'),
  ...all({ label: 'exploiter' }, 'exploit etherscan-exploit-list attacker'),
  ...all({ label: 'financial_crime' }, 'scam scammer fraud investment_fraud rug-pull rugpull rug'),
  ...all({ label: 'ponzi' }, 'ponzi_scheme ponzi-scheme pyramid_scheme'),
  ...all({ label: 'ransomware' }, 'ransom'),
  ...all({ label: 'extortion' }, 'sextortion'),
  ...all({ label: 'darknet' }, 'darkweb darknet_market dark-market dark_market'),
  ...all({ label: 'fake_token' }, 'spam-token counterfeit'),
  ...all({ label: 'mixer' }, 'mixing_service ethereum-mixer'),
  // These tags include donors and developers of the project.
  ...all({ label: 'mixer', confidence: 0.7 }, 'tornado-cash typhoon-cash typhoon-network'),
  // Copies of freeze lists may be outdated; the current state is on chain.
  ...all({ label: 'blacklist', confidence: 0.5 }, 'blocked black_list blacklisted frozen'),
  ...all({ label: 'delisted' }, 'removed unsanctioned'),
  ...all({ label: 'benign' }, 'whitelist allowlist honest good safe white-hat-group'),
  ...service(
    'exchange',
    `exchange exchanges cex hot-wallet cold-wallet fiat-gateway otc binance binance-deposit bitfinex bithumb bitmart bitmex
    bitstamp bittrex coinbase coinone coinsquare crypto-com deribit digifinex ftx gate-io gemini hitbtc hoo-com hotbit huobi
    korbit kraken kucoin latoken liquid okx paribu poloniex quadrigacx remitano upbit zb-com ascendex cobinhood coinhako
    bgogo abcc changenow shapeshift swissborg bybit tidex yunbi maskex topbtc trade-io lcx-ag nexo celsius-network blockfi`,
  ),
  ...service(
    'dex',
    `dex defi_dex amm sushiswap balancer bancor burgerswap bscswap uniswap curve-fi kyberswap 0x-protocol 1inch paraswap
    airswap cow-protocol pancakeswap quickswap mdex idex dodo tokenlon loopring sudoswap saddle-finance swipeswap hashflow
    dutchx ooki`,
  ),
  ...service(
    'bridge',
    `bridge cross-chain multichain wormhole hop-protocol across-protocol connext synapse celer-network orbit-bridge optics
    layer-2 arbitrum arbitrum-one arbitrum-nova optimism starknet polygon-matic interoperability-cross-chain`,
  ),
  ...service(
    'lending',
    `defi_lending lending loans aave compound maker cream-finance venus-protocol liquity alchemix-finance mstable
    rari-capital yearn-finance abracadabra-money idle-finance reflexer-finance euler vaults defi`,
  ),
  ...service('staking', 'staking lido rocket-pool validator system-contract'),
  ...service('marketplace', 'marketplace market opensea looksrare rarible superrare nifty-gateway'),
  ...service('mining', 'miner mining-pool f2pool miningpoolhub'),
  ...service('gambling', 'gambling'),
  ...service(
    'token',
    'stablecoin bridged-token binance-pegged bitcoin-pegged dot-pegged wrapped-token wrapped-bitcoin chainlink synthetix',
  ),
  ...service('service', 'service payments oracle router factory-contract multisig ens safe-formerly-gnosis-safe'),
])

/** Tags about sanctions may be outdated. Only lists that the operator imports as sanctions lists count as such. */
const STALE_SANCTIONS = new Set(['sanction', 'sanctions', 'sanctioned', 'ofac', 'ofac-sanctions-lists'])

const NAMES: [RegExp, Meaning][] = [
  [/^fake[_ ]?phishing/i, { label: 'phishing' }],
  [/\bexploiter\b/i, { label: 'exploiter' }],
]
const WHITE_HAT = /white[ -]?hat/i

/** Confidence of words in files (GraphSense: how a tag became known). */
const CONFIDENCES = new Map([
  ['ownership', 1],
  ['ledger_immanent', 1],
  ['authority_data', 0.95],
  ['manual_transaction', 0.95],
  ['service_data', 0.9],
  ['trusted_provider', 0.9],
  ['forensic', 0.9],
  ['service_api', 0.9],
  ['web_crawl', 0.8],
  ['untrusted_transaction', 0.5],
  ['heuristic', 0.5],
  ['high', 0.95],
  ['medium', 0.7],
  ['low', 0.3],
])

/** Parses a word, a number from 0 to 1 or a percentage. @returns 0 to 1; undefined for other text */
export const confidenceOf = (text: string): number | undefined => {
  const word = CONFIDENCES.get(text.toLowerCase())
  if (word !== undefined) return word
  const value = Number(text)
  if (text === '' || !(value >= 0 && value <= 100)) return undefined
  return value > 1 ? value / 100 : value
}

const spelled = (word: string): string => word.trim().toLowerCase().replace(/\s+/g, '-')

/**
 * Labels of a row. `staleSanction`: the row is tagged as sanctioned by a list that is not an authority's, and counts as
 * reported.
 */
export type RowMeaning = { meanings: Meaning[]; staleSanction: boolean }

/**
 * Labels of a row's words, without duplicates. Rows without words are mapped by source, then by name.
 */
export const meaningOf = (words: readonly string[], source: string, name: string): RowMeaning => {
  const of = (candidates: readonly string[]): Meaning[] => {
    const found = new Map<string, Meaning>()
    for (const word of candidates.map(spelled)) {
      const meaning = STALE_SANCTIONS.has(word) ? undefined : (WORDS.get(word) ?? WORDS.get(word.replaceAll('-', '_')))
      if (meaning && !found.has(meaning.label)) found.set(meaning.label, meaning)
    }
    return [...found.values()]
  }
  const staleSanction = words.some((word) => STALE_SANCTIONS.has(spelled(word)))
  if (words.length > 0) return { meanings: of(words), staleSanction }
  const bySource = of([source])
  if (bySource.length > 0) return { meanings: bySource, staleSanction }
  const named = WHITE_HAT.test(name) ? [] : NAMES.filter(([pattern]) => pattern.test(name))
  return { meanings: named.map(([, meaning]) => meaning), staleSanction }
}
