/** Formats numbers, times and paths. */

/** @param {number} share 0 to 1 */
export const percent = (share) => {
  if (share > 0 && share < 0.0005) return 'under 0.1 %'
  return `${(share * 100).toFixed(1)} %`
}

/** @param {number} value @param {string} unit */
export const amount = (value, unit) =>
  unit === 'USD'
    ? value.toLocaleString('en', { style: 'currency', currency: 'USD' })
    : `${value.toLocaleString('en', { maximumFractionDigits: 6 })} ${unit}`

/** @param {number | null | undefined} value */
export const count = (value) => (value === null || value === undefined ? 'not known' : value.toLocaleString('en'))

/** A readable form of an API name: `phishing_activities` becomes "Phishing activities". @param {string} name */
export const words = (name) => {
  const text = name.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** @param {string} iso */
export const time = (iso) => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')

const UNITS = /** @type {const} */ ([
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
])

/** Age, such as "3 days ago". @param {string} iso @param {number} [now] ms */
export const age = (iso, now = Date.now()) => {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1_000))
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second']
  const number = Math.floor(seconds / size)
  return `${number} ${unit}${number === 1 ? '' : 's'} ago`
}

/** Path of a wallet's page. @param {string} network @param {string} address @param {string} [page] */
export const pathOf = (network, address, page) =>
  `/console/${network}/${encodeURIComponent(address)}${page === undefined ? '' : `/${page}`}`
