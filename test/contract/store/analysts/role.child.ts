/**
 * `role.child.ts STORE USERS`: an engine whose only user is the one of a users file. Reads statements from standard input, one JSON array,
 * and writes what became of each: its answer, or the name of the error.
 */
import { Session } from 'chdb'

const [store = '', users = ''] = process.argv.slice(2)
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const statements = JSON.parse(Buffer.concat(chunks).toString('utf8')) as string[]
// Without a configuration the engine does not look at the users file.
const engine = new Session(store, { connectionArgs: [`--config-file=${users}.config`, `--users_config=${users}`] })
const outcomes = statements.map((statement) => {
  try {
    return engine.query(statement, 'TabSeparated').trim()
  } catch (error) {
    return [...String(error).matchAll(/\(([A-Z]+(?:_[A-Z]+)+|READONLY)\)/g)].at(-1)?.[1] ?? String(error)
  }
})
// The engine ends with the process.
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0))
