/** Inserts a network and an address into an example statement. Pure functions without DOM. */

/** Characters of addresses of any family. None of them can end an SQL string or a shell line. */
const ADDRESS = /^[A-Za-z0-9:_+/=-]{1,128}$/
const NETWORK = /^[A-Z]{2,10}$/
const EXAMPLE_NETWORK = /\b(network = )'[A-Z]+'/g
const EXAMPLE = /'0x[0-9a-f]{40}'/g

/** @param {string} address */
export const isUsable = (address) => ADDRESS.test(address)

/**
 * The statement with another network and address. The address stays unchanged if the statement has several, or the given one is not
 * usable.
 *
 * @param {string} statement @param {{ network: string, address: string }} subject
 */
export const about = (statement, { network, address }) => {
  const examples = new Set(statement.match(EXAMPLE) ?? [])
  const here = NETWORK.test(network) ? statement.replaceAll(EXAMPLE_NETWORK, `$1'${network}'`) : statement
  return examples.size === 1 && isUsable(address) ? here.replaceAll(EXAMPLE, `'${address}'`) : here
}

/** Output formats of `assay sql`. */
export const FORMATS = ['table', 'csv', 'ndjson', 'json', 'parquet']

/**
 * A shell command that runs the statement.
 *
 * @param {string} statement @param {string} format one of `FORMATS` @param {number} nth number of the question, for the file name
 */
export const commandOf = (statement, format, nth) => {
  const output = format === 'table' ? '' : ` --output question-${nth}.${format}`
  return `assay sql --format ${format}${output} <<'SQL'\n${statement}\nSQL`
}
