/** Finds the canonical asset that a token's name or symbol imitates. */
import { type Network, networkInfo } from '../../../../schema/networks.ts'
import { ASSETS, BRIDGED_ASSETS, type CanonicalAsset } from '../../../../schema/registry/contracts.ts'

/** Letters of other scripts that look like Latin capitals (Unicode TR39 confusables; Cyrillic, Greek, Armenian, Cherokee), and the
 * sign that Tether writes for its T on TON. */
const LOOKALIKES = new Map(
  [
    ['АΑᎪ', 'A'],
    ['ВΒᏴ', 'B'],
    ['СϹᏟ', 'C'],
    ['ԀᎠ', 'D'],
    ['ЕΕᎬ', 'E'],
    ['Ԍ', 'G'],
    ['НΗᎻ', 'H'],
    ['ІΙӀ', 'I'],
    ['ЈЈᎫ', 'J'],
    ['КΚᏦ', 'K'],
    ['Ꮮ', 'L'],
    ['МΜᎷ', 'M'],
    ['Ν', 'N'],
    ['ОΟՕ', 'O'],
    ['РΡᏢ', 'P'],
    ['ЅՏᏚ', 'S'],
    ['ТΤᎢ₮', 'T'],
    ['Ս', 'U'],
    ['ᏙѴ', 'V'],
    ['ԜᎳ', 'W'],
    ['ХΧ', 'X'],
    ['ҮΥУ', 'Y'],
    ['Ζ', 'Z'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter) => [letter, to] as const)),
)

/** Text as the eye reads it: compatibility forms normalised, marks and invisible characters removed, look-alikes as Latin capitals. */
export const lookOf = (text: string): string =>
  [
    ...text
      .normalize('NFKD')
      .replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
      .toUpperCase(),
  ]
    .map((letter) => LOOKALIKES.get(letter) ?? letter)
    .join('')
    .replace(/\s+/gu, ' ')
    .trim()

type Original = Pick<CanonicalAsset, 'address' | 'symbol' | 'name' | 'flags'>
type Originals = {
  bySymbol: ReadonlyMap<string, Original>
  byName: ReadonlyMap<string, Original>
  byBoth: ReadonlyMap<string, Original>
}

const both = (symbol: string, name: string): string => `${lookOf(symbol)}\n${lookOf(name)}`

/** Symbols that mean money. DAI, GHO or CAKE are also words and initials of honest tokens. */
const SAYS_MONEY = /USD|ETH|BTC|BNB/

/**
 * The names and symbols to compare with. Money (dollar coins, coins that pools are priced in, the network's own coin) is imitated
 * by its name, or by a symbol that means money. Other assets share short symbols with honest tokens (APE, SUN, LEO), so both must
 * match.
 */
const originalsOf = (network: Network): Originals => {
  const assets = [...ASSETS[network].values()]
  const money = assets.filter(({ flags }) => flags.some((flag) => flag !== 'meme'))
  const { symbol } = networkInfo(network).nativeCoin
  const coin: Original = { address: '', symbol, name: symbol, flags: [] }
  return {
    bySymbol: new Map(
      [coin, ...money.filter((asset) => SAYS_MONEY.test(lookOf(asset.symbol)))].map((asset) => [
        lookOf(asset.symbol),
        asset,
      ]),
    ),
    byName: new Map(money.map((asset) => [lookOf(asset.name), asset])),
    byBoth: new Map(assets.map((asset) => [both(asset.symbol, asset.name), asset])),
  }
}

const ORIGINALS = new Map<Network, Originals>()

/** The canonical asset that a token imitates; undefined for genuine assets, their bridged forms, and everything else. */
export const imitated = (
  network: Network,
  token: { contract: string; symbol: string; name: string },
): Original | undefined => {
  if (ASSETS[network].has(token.contract) || BRIDGED_ASSETS[network].has(token.contract)) return undefined
  const originals = ORIGINALS.get(network) ?? originalsOf(network)
  ORIGINALS.set(network, originals)
  return (
    originals.bySymbol.get(lookOf(token.symbol)) ??
    originals.byName.get(lookOf(token.name)) ??
    originals.byBoth.get(both(token.symbol, token.name))
  )
}
