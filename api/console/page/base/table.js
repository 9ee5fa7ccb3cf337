/** Accessible tables that can be saved as a file. */
import { csvOf, linesOf } from './csv.js'
import { announce, fill, h } from './dom.js'

/**
 * @template R
 * @typedef {{
 *   name: string,
 *   value: (row: R) => string | number | null,
 *   show?: (row: R) => import('./dom.js').Child,
 *   number?: boolean,
 *   onPageOnly?: boolean,
 *   inFilesOnly?: boolean,
 * }} Column `value` is written to files; `show` renders the cell on the page if it differs. `onPageOnly` is for
 *   buttons, `inFilesOnly` for values that the page shows in another column
 */

/** Rows shown initially, and added by each click. */
const PAGE = 100

/** @param {string} name @param {string} type @param {BlobPart} content */
export const saveFile = (name, type, content) => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = h('a', { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  announce(`Saved ${name}`)
}

/**
 * @template R
 * @param {{ caption: string, file: string, columns: readonly Column<R>[], rows: readonly R[], empty: string }} options
 */
export const table = ({ caption, file, columns: all, rows, empty }) => {
  if (rows.length === 0) return h('p', { class: 'empty' }, empty)
  const columns = all.filter(({ inFilesOnly }) => !inFilesOnly)
  const body = h('tbody')
  const more = h('button', { type: 'button', 'data-more': true })
  const part = h('p', { class: 'quiet' })
  const said = h('div', {})
  let shown = 0
  const show = () => {
    for (const row of rows.slice(shown, shown + PAGE)) {
      const cells = columns.map(({ value, show: shape = value, number }, nth) =>
        h(nth === 0 ? 'th' : 'td', { scope: nth === 0 && 'row', class: number && 'number' }, shape(row)),
      )
      body.append(h('tr', {}, ...cells))
    }
    shown = Math.min(rows.length, shown + PAGE)
    more.hidden = part.hidden = shown >= rows.length
    // Printed reports have no button, so the text states that there are more rows.
    fill(part, `The first ${shown} of ${rows.length} rows. Files have all of them.`)
    fill(more, `Show ${Math.min(PAGE, rows.length - shown)} more of ${rows.length}`)
  }
  more.addEventListener('click', show)
  show()
  const inFiles = all.filter(({ onPageOnly }) => !onPageOnly)
  const head = inFiles.map(({ name }) => name)
  const values = () => rows.map((row) => inFiles.map(({ value }) => value(row)))
  /** @param {string} name @param {string} type @param {(head: string[], rows: import('./csv.js').Row[]) => BlobPart | Promise<BlobPart>} write */
  const save = (name, type, write) =>
    h(
      'button',
      {
        type: 'button',
        onclick: async () => {
          try {
            saveFile(`${file}.${name.toLowerCase()}`, type, await write(head, values()))
            fill(said)
          } catch {
            fill(said, h('p', { role: 'alert' }, `No ${name} file was created. Reload the page, then try again.`))
          }
        },
      },
      name,
    )
  return h(
    'div',
    { class: 'table' },
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
      h(
        'table',
        {},
        h('caption', {}, caption),
        h(
          'thead',
          {},
          h('tr', {}, ...columns.map(({ name, number }) => h('th', { scope: 'col', class: number && 'number' }, name))),
        ),
        body,
      ),
    ),
    part,
    h(
      'p',
      { class: 'actions' },
      more,
      ' Save as ',
      save('CSV', 'text/csv', csvOf),
      ' ',
      save('NDJSON', 'application/x-ndjson', linesOf),
      ' ',
      save('Parquet', 'application/vnd.apache.parquet', async (...content) =>
        (await import('./parquet.js')).parquetOf(...content),
      ),
    ),
    said,
  )
}
