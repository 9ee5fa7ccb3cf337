/** The flags of a wallet in three states: a 0 of the API is either clear or unknown. */
import { foreign, h } from '../base/dom.js'
import { words } from '../base/format.js'
import { table } from '../base/table.js'

/** @typedef {{ name: string, state: 'found' | 'clear' | 'unknown', why: string }} Flag */

/** Fields of `forensic_details` that are not flags. */
const NOT_FLAGS = new Set(['data_source'])

/**
 * Flags with state and explanation. Unknowns are texts `name: reason`; those that are not about a flag are returned as `others`.
 *
 * @param {Record<string, string>} details forensic_details of the record @param {readonly string[]} unknowns
 * @param {readonly import('./waterfall.js').Reason[]} reasons
 * @returns {{ flags: Flag[], others: string[] }}
 */
export const flagsOf = (details, unknowns, reasons) => {
  const names = Object.keys(details).filter((name) => !NOT_FLAGS.has(name))
  /** @type {Map<string, string[]>} */
  const open = new Map()
  /** @type {string[]} */
  const others = []
  for (const text of unknowns) {
    const [, name = '', why = ''] = /^([a-z_]+): (.*)$/s.exec(text) ?? []
    if (names.includes(name)) open.set(name, [...(open.get(name) ?? []), why])
    else others.push(text)
  }
  const flags = names.map((name) => {
    const value = details[name] ?? ''
    if (value !== '0') {
      const found = reasons.filter(({ code, contribution }) => contribution === null && code === name.toUpperCase())
      return {
        name,
        state: /** @type {const} */ ('found'),
        why: found.map(({ title }) => title).join('; ') || `Value ${value}`,
      }
    }
    const why = open.get(name)
    return why
      ? { name, state: /** @type {const} */ ('unknown'), why: why.join('; ') }
      : { name, state: /** @type {const} */ ('clear'), why: '' }
  })
  return { flags, others }
}

/** A sentence about unknown flags. @param {readonly Flag[]} flags */
export const openFlags = (flags) => {
  const open = flags.filter(({ state }) => state === 'unknown').map(({ name }) => words(name))
  if (open.length === 0) return []
  return [`${open.length} of ${flags.length} flags could not be fully checked and may apply: ${open.join(', ')}.`]
}

const SIGNS = { found: '✖', clear: '✔', unknown: '?' }
const ORDER = ['found', 'unknown', 'clear']

/** @param {readonly Flag[]} flags */
export const flagsView = (flags) => {
  const counts = ORDER.map((state) => `${flags.filter((flag) => flag.state === state).length} ${state}`)
  return [
    h('p', {}, `${counts.join(', ')}. Clear: checked, and not found in the indexed data.`),
    table({
      caption: 'Flags by state',
      file: 'flags',
      empty: '',
      rows: flags.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)),
      columns: [
        { name: 'Flag', value: (flag) => flag.name, show: (flag) => words(flag.name) },
        {
          name: 'State',
          value: (flag) => flag.state,
          show: (flag) =>
            h(
              'span',
              { class: `flag ${flag.state}` },
              h('span', { 'aria-hidden': 'true' }, SIGNS[flag.state]),
              ' ',
              flag.state,
            ),
        },
        { name: 'Why', value: (flag) => flag.why, show: (flag) => foreign(flag.why) },
      ],
    }),
  ]
}
