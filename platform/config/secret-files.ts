/** Reads secrets from files, as containers provide them: `CLICKHOUSE_URL_FILE` names a file with the value of `CLICKHOUSE_URL`. */
import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

const SUFFIX = '_FILE'

const contentOf = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      `The file that ${name} names cannot be read. Nothing was started. Correct the path, or make the file readable for the user of this process.`,
      { cause },
    )
  }
}

/**
 * The environment with secret files replaced by their content.
 * @param names settings that may be given as a file.
 * @throws OperatorError ASSAY_CONFIG_INVALID for an unreadable or empty file, and for a setting given both ways
 */
export const withSecretFiles = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv => {
  const resolved = { ...env }
  for (const name of names) {
    const variable = `${name}${SUFFIX}`
    const path = env[variable]
    delete resolved[variable]
    if (!path) continue
    const problem = env[name]
      ? `${name} and ${variable} are both set. Nothing was started. Set one of them.`
      : `The file that ${variable} names is empty. Nothing was started. Write the value of ${name} into it.`
    const content = env[name] ? '' : contentOf(variable, path)
    if (content === '') throw new OperatorError('ASSAY_CONFIG_INVALID', problem)
    resolved[name] = content
  }
  return resolved
}
