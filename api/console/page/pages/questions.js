/** Example SQL statements for `assay sql` and for clients of the store. The console does not run them. */
import { fill, h } from '../base/dom.js'
import { copier, section } from '../base/parts.js'
import { NETWORKS } from '../networks.js'
import { about, commandOf, FORMATS, isUsable } from '../questions/about.js'
import { QUESTIONS } from '../questions/list.js'

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = (main, { query }) => {
  const network = h(
    'select',
    { id: 'network' },
    ...NETWORKS.map(({ code }) => h('option', { value: code, selected: code === query.get('network') }, code)),
  )
  const address = h('input', { id: 'address', value: query.get('address') ?? '', spellcheck: 'false', size: 44 })
  const format = h('select', { id: 'format' }, ...FORMATS.map((name) => h('option', { value: name }, name)))
  const list = h('div', {})
  const warning = h('p', { class: 'warning', role: 'status' })
  const draw = () => {
    const subject = { network: network.value, address: address.value.trim() }
    const isKept = subject.address !== '' && !isUsable(subject.address)
    fill(warning, isKept && 'This is not an address. The statements keep their example addresses.')
    const open = new Set([...list.querySelectorAll('details[open]')].map(({ id }) => id))
    const groups = [...new Set(QUESTIONS.map(({ group }) => group))]
    fill(
      list,
      ...groups.map((group, at) =>
        section(
          `group-${at}`,
          group,
          ...QUESTIONS.map((question, nth) => ({ ...question, nth: nth + 1 }))
            .filter((question) => question.group === group)
            .map(({ title, statement, nth }) => {
              const mine = about(statement, subject)
              return h(
                'details',
                { class: 'question', id: `question-${nth}`, open: open.has(`question-${nth}`) },
                h('summary', {}, `${nth}. ${title}`),
                h('pre', { tabindex: 0, 'aria-label': `Statement ${nth}` }, mine),
                h(
                  'p',
                  { class: 'actions' },
                  copier('Copy statement', () => mine),
                  copier('Copy command', () => commandOf(mine, format.value, nth)),
                ),
              )
            }),
        ),
      ),
    )
  }
  const keep = () => {
    const search = new URLSearchParams({ network: network.value, address: address.value.trim() })
    history.replaceState(null, '', `${location.pathname}?${search}`)
    draw()
  }
  for (const field of [network, address]) field.addEventListener('change', keep)
  draw()
  fill(
    main,
    h('h1', {}, 'Questions to the tables'),
    h(
      'p',
      {},
      'Example statements. Run them on the machine of this server with ',
      h('code', {}, 'assay sql'),
      ' in a terminal, or in a notebook or dashboard that is connected to the store. The API runs no SQL.',
    ),
    h(
      'p',
      { class: 'actions' },
      h('label', { for: 'network' }, 'Network'),
      network,
      h('label', { for: 'address' }, 'Address'),
      address,
      h('label', { for: 'format' }, 'Format of the command'),
      format,
    ),
    warning,
    list,
  )
}
