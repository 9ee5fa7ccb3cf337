/** A process that keeps a demonstration chain, to be killed: `node --import tsx scenario.child.ts <dataDir>`. */
import { playScenario, startDevnet } from '../../../deploy/demo/index.ts'
import { createLog } from '../../../platform/context/log.ts'

const [, , dataDir = ''] = process.argv
const log = createLog('error')
const devnet = await startDevnet({ dataDir, log, signal: new AbortController().signal, blockTimeMs: 40 })
await playScenario({ rpcUrl: devnet.rpcUrl, dataDir, log })
devnet.produce()
process.stdout.write(`${devnet.rpcUrl}\n`)
