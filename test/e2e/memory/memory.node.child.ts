/** A node whose chain is recorded blocks over and over: `node --import tsx memory.node.child.ts <length>`. */
import { fixturesFolder, loadRecordings, repeatedChain } from '../../kit/chain/recorded-chain.ts'
import { startReplayNode } from '../../kit/chain/replay-node.ts'
import { REPEATED } from './memory.blocks.ts'
import { tell } from './memory.peak.ts'

const folder = fixturesFolder('ethereum')
if (!folder) throw new Error('there are no recorded answers')
const recordings = loadRecordings(folder).filter(({ number }) => REPEATED.includes(number))
const { url } = await startReplayNode({ chain: repeatedChain(recordings, { length: Number(process.argv[2]) }) })
tell({ url })
