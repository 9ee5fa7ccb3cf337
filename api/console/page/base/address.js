/** Finds addresses in pasted text, and detects look-alike addresses. */

/**
 * @typedef {{ text: string, chainId?: number, family?: string }} Candidate An address to look up. With a chain or family,
 *   only its networks are asked.
 */

/** Patterns of addresses, to find one in a longer text. The API validates them. */
const FORMS = [
  /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/,
  /[a-z]{2,10}1[02-9ac-hj-np-z]{38}(?![0-9a-z])/,
  /(?<![1-9A-HJ-NP-Za-km-z])T[1-9A-HJ-NP-Za-km-z]{33}(?![1-9A-HJ-NP-Za-km-z])/,
  /(?<!\d)(?:0|-1):[0-9a-fA-F]{64}/,
  /(?<![\w+-])[EU]Q[A-Za-z0-9_+/-]{46}(?![\w+/-])/,
  /(?<![0-9a-fA-F])41[0-9a-fA-F]{40}(?![0-9a-fA-F])/,
  /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![1-9A-HJ-NP-Za-km-z])/,
]
/** Whether the whole text looks like an address. @param {string} text */
export const hasFormOfAddress = (text) => FORMS.some((form) => form.exec(text)?.[0] === text)

/** CAIP-2 namespaces with a single address family. */
const NAMESPACES = new Map([
  ['tron', 'tron'],
  ['solana', 'solana'],
  ['tvm', 'ton'],
])
const CAIP_10 = /^([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32}):(\S+)$/
const TRANSACTION = /^(0x)?[0-9a-fA-F]{64}$/

/** Whether a text is the hash of a transaction rather than an address. @param {string} text */
export const isTransaction = (text) => TRANSACTION.test(text)

/** A decoded part of a path; unchanged if it is not valid. @param {string} text */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @param {string} line @returns {Candidate | undefined} */
const candidateIn = (line) => {
  const text = line.trim().replace(/^["'<([]+|["'>)\],;]+$/g, '')
  if (text === '') return undefined
  const caip = CAIP_10.exec(text)
  if (caip) {
    const [, namespace = '', reference = '', address = ''] = caip
    if (namespace === 'eip155') return { text: address, chainId: Number(reference) }
    const family = NAMESPACES.get(namespace)
    if (family) return { text: decoded(address), family }
  }
  if (/^https?:\/\//i.test(text)) {
    for (const form of FORMS) {
      const [found] = form.exec(text) ?? []
      if (found) return { text: found }
    }
  }
  return { text }
}

/** Unique addresses of a pasted text with one per line. @param {string} text */
export const candidatesIn = (text) => {
  const found = text.split(/[\r\n]+/).flatMap((line) => candidateIn(line) ?? [])
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

/** Digits at each end that people usually compare. */
const COMPARED = 4

/** The part of an address that people compare. @param {string} address */
const outlineOf = (address) => {
  const digits = address.replace(/^0x|^-?\d:/, '')
  const folded = digits === address ? digits : digits.toLowerCase()
  return `${folded.slice(0, COMPARED)}...${folded.slice(-COMPARED)}`
}

/**
 * Addresses of a list with the same first and last digits as another one, as in address poisoning.
 *
 * @param {Iterable<string>} addresses
 * @returns {Set<string>}
 */
export const lookAlikesOf = (addresses) => {
  /** @type {Map<string, Set<string>>} */
  const groups = new Map()
  for (const address of new Set(addresses)) {
    const outline = outlineOf(address)
    groups.set(outline, (groups.get(outline) ?? new Set()).add(address))
  }
  return new Set([...groups.values()].flatMap((group) => (group.size > 1 ? [...group] : [])))
}

/**
 * Short forms of addresses, unique within the list.
 *
 * @param {readonly string[]} addresses
 * @returns {Map<string, string>}
 */
export const shortened = (addresses) => {
  const different = [...new Set(addresses)]
  /** @type {Map<string, string>} */
  const result = new Map()
  let open = different
  for (let ends = 8; open.length > 0; ends += 4) {
    /** @type {Map<string, string[]>} */
    const groups = new Map()
    for (const address of open) {
      const short = address.length > 2 * ends ? `${address.slice(0, ends)}...${address.slice(2 - ends)}` : address
      groups.set(short, [...(groups.get(short) ?? []), address])
    }
    for (const [short, [first, ...others]] of groups)
      if (first !== undefined && others.length === 0) result.set(first, short)
    open = open.filter((address) => !result.has(address))
  }
  return result
}
