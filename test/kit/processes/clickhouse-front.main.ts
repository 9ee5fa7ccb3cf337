/** `node --import tsx test/kit/processes/clickhouse-front.main.ts <folder> [port] [password]`: prints its URL, serves until SIGTERM. */
import { openClickHouseFront } from './clickhouse-front.ts'

const [path, port = '0', password] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: clickhouse-front.main.ts <folder> [port] [password]')
const front = await openClickHouseFront({ path, port: Number(port), ...(password === undefined ? {} : { password }) })
process.stdout.write(`${front.url}\n`)
process.once('SIGTERM', () => {
  front.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
