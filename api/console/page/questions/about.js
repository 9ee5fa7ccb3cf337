/** Puts a network and an address into the statement of a question, and makes a command of it. No element is made here. */

/** What an address of any family may consist of: nothing of it can end a text of SQL or a line of a shell. */
const ADDRESS = /^[A-Za-z0-9:_+/=-]{1,128}$/
const NETWORK = /^[A-Z]{2,10}$/
const EXAMPLE_NETWORK = /\b(network = )'[A-Z]+'/g
const EXAMPLE = /'0x[0-9a-f]{40}'/g

/** @param {string} address */
export const isUsable = (address) => ADDRESS.test(address)

/**
 * The statement about another network and address. Questions about several addresses keep theirs, and so does one whose own address
 * cannot stand in a statement.
 *
 * @param {string} statement @param {{ network: string, address: string }} subject
 */
export const about = (statement, { network, address }) => {
  const examples = new Set(statement.match(EXAMPLE) ?? [])
  const here = NETWORK.test(network) ? statement.replaceAll(EXAMPLE_NETWORK, `$1'${network}'`) : statement
  return examples.size === 1 && isUsable(address) ? here.replaceAll(EXAMPLE, `'${address}'`) : here
}

/** Formats that `assay sql` writes. */
export const FORMATS = ['table', 'csv', 'ndjson', 'json', 'parquet']

/**
 * A command for a terminal of the installation.
 *
 * @param {string} statement @param {string} format one of `FORMATS` @param {number} nth of the question, for the name of the file
 */
export const commandOf = (statement, format, nth) => {
  const output = format === 'table' ? '' : ` --output question-${nth}.${format}`
  return `assay sql --format ${format}${output} <<'SQL'\n${statement}\nSQL`
}
