/** Keyboard navigation of table rows: moving between rows of all tables of a page, opening and selecting a row. */

/** @typedef {readonly (readonly [key: string, meaning: string])[]} Keys */

/** @type {Keys} */
export const ROW_KEYS = [
  ['j', 'Next row of a table'],
  ['k', 'Row before'],
  ['Enter', 'Open the page of the row'],
  ['e', 'Expand or collapse a row or a box of the graph; on alerts, change the selected ones'],
  ['x', 'Select or deselect an alert'],
]

/** @param {Element} main */
const rowsIn = (main) =>
  /** @type {HTMLElement[]} */ ([...main.querySelectorAll('tbody tr')]).filter((row) => row.checkVisibility())

/** @param {HTMLElement} main @param {1 | -1} way @returns {boolean} */
const move = (main, way) => {
  const current = document.activeElement?.closest('tbody tr') ?? null
  const rows = rowsIn(main)
  const at = current === null ? -1 : rows.indexOf(/** @type {HTMLElement} */ (current))
  if (at < 0 && way < 0) return false
  const more = current?.nextElementSibling === null && current.closest('.table')?.querySelector('button[data-more]')
  if (way > 0 && more instanceof HTMLButtonElement && !more.hidden) {
    more.click()
    return move(main, way)
  }
  const row = rows[at + way]
  if (!row) return false
  row.tabIndex = -1
  row.focus()
  return true
}

/** Dispatches a click. SVG links have no method `click`. @param {Element | null | undefined} element */
const click = (element) => {
  element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  return element instanceof Element
}

/**
 * Handles a key of `ROW_KEYS`. @returns whether it did, so that the default action must be prevented
 *
 * @param {HTMLElement} main @param {string} key
 */
export const rowKey = (main, key) => {
  const active = document.activeElement
  const row = active?.closest('tbody tr')
  /** @type {Record<string, () => unknown>} */
  const actions = {
    j: () => move(main, 1),
    k: () => move(main, -1),
    // If a link or button of the row has the focus, it handles the key itself.
    Enter: () => row === active && click(row?.querySelector('a')),
    x: () => click(row?.querySelector('input[type=checkbox]')),
    e: () =>
      click(
        row?.querySelector('summary') ??
          active?.closest('.node')?.querySelector('[data-open]') ??
          main.querySelector('button[data-key=e]:enabled'),
      ),
  }
  return Boolean(Object.hasOwn(actions, key) && actions[key]?.())
}
