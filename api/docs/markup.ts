/** HTML helpers of the documentation pages. Escapes text. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as code. */
export const code = (text: string): string => `<code>${escaped(text)}</code>`

/** An HTML table. Cells are HTML already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table>${row(head, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table></div>`
}

/** Path of the stylesheet. */
export const STYLE_PATH = '/docs/page.css'
/** Path of the script. */
export const SCRIPT_PATH = '/docs/page.js'
/** Path of the icon. */
export const ICON_PATH = '/docs/icon.svg'

/** A whole page. The title is escaped; body and head are HTML already. */
export const pageOf = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title>
<link rel="icon" href="${ICON_PATH}"><link rel="stylesheet" href="${STYLE_PATH}">${head}</head><body>${body}</body></html>`
